/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_http.c - serves metrics over HTTP or HTTPS with libmicrohttpd, loaded when it is needed
 *
 * The plain command shall not have more to load for it. The server has no thread of its own: the
 * loop of kcatch metrics runs it. A connection carries one request. A slow or silent client holds
 * one of 32 connections for twenty seconds at most, whatever it sends; others wait meanwhile.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "command.h"
#include "follow.h"
#include "metrics_http.h"
#include "option_parser.h"

#define LIBRARY "libmicrohttpd.so.12"
#define CONNECTIONS 32U
#define TIMEOUT 10U		/* seconds for the request, and once more for its answer */
#define UNREAD_MAX (64U << 20)	/* bytes of answers that clients have not read yet */
#define PEM_MAX (1U << 20)	/* bytes of a certificate or key */

#define FUNCTIONS(do) \
	do(start, MHD_start_daemon) \
	do(supports, MHD_is_feature_supported) \
	do(stop, MHD_stop_daemon) \
	do(info, MHD_get_daemon_info) \
	do(about, MHD_get_connection_info) \
	do(run, MHD_run) \
	do(timeout, MHD_get_timeout) \
	do(lookup, MHD_lookup_connection_value) \
	do(create, MHD_create_response_from_buffer) \
	do(header, MHD_add_response_header) \
	do(queue, MHD_queue_response) \
	do(destroy, MHD_destroy_response)

#define MEMBER(member, name) __typeof__(name) *member;

/*
 * A connection; @fd -1: none is here. @due_ns: CLOCK_MONOTONIC, when it is ended. @answer: bytes of
 * the answer that it gets.
 */
struct client {
	int fd;
	uint64_t due_ns;
	size_t answer;
};

struct metrics_http {
	void *library;
	FUNCTIONS(MEMBER)
	struct MHD_Daemon *daemon;
	metrics_page *page;
	void *arg;
	char *certificate, *key;	/* PEM; the daemon uses them where they are. NULL: HTTP */
	int fd;
	struct client clients[CONNECTIONS];
};

#define TAKE(member, name) \
	&& (*(void **)&http->member = dlsym(http->library, #name))

static int load(struct metrics_http *http)
{
	http->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (http->library FUNCTIONS(TAKE))
		return 0;
	say("metrics are served with " LIBRARY ", which is not installed (Debian package "
	    "libmicrohttpd12); --textfile needs none");
	return -1;
}

/* ---- clients ----------------------------------------------------------------------------- */

/*
 * The library's own time limit is for silence: a byte now and then would hold a connection for
 * ever. So each has an end of its own.
 */
static void notify(void *arg, struct MHD_Connection *connection, void **context,
		   enum MHD_ConnectionNotificationCode code)
{
	struct metrics_http *http = arg;
	const union MHD_ConnectionInfo *info;
	struct client *client = *context;
	size_t i;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (client)
			client->fd = -1;
		return;
	}
	info = http->about(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	for (i = 0; info && i < CONNECTIONS; i++) {
		client = &http->clients[i];
		if (client->fd >= 0)
			continue;
		client->fd = info->connect_fd;
		client->answer = 0;
		client->due_ns = follow_clock() + TIMEOUT * FOLLOW_SECOND;
		*context = client;
		return;
	}
}

/* The request is complete: what is read slowly has its own time. */
static void begin_answer(struct metrics_http *http, struct MHD_Connection *connection,
			 size_t length)
{
	const union MHD_ConnectionInfo *info =
		http->about(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (!client)
		return;
	client->due_ns = follow_clock() + TIMEOUT * FOLLOW_SECOND;
	client->answer = length;
}

/* Each answer has memory of its own: clients that read nothing must not fill the machine's. */
static bool is_full(const struct metrics_http *http)
{
	size_t i, bytes = 0;

	for (i = 0; i < CONNECTIONS; i++)
		if (http->clients[i].fd >= 0)
			bytes += http->clients[i].answer;
	return bytes >= UNREAD_MAX;
}

/* The library finds a connection that is shut down, and closes it. */
static void end_late(struct metrics_http *http, uint64_t now)
{
	size_t i;

	for (i = 0; i < CONNECTIONS; i++) {
		struct client *client = &http->clients[i];

		if (client->fd >= 0 && now >= client->due_ns)
			shutdown(client->fd, SHUT_RDWR);
	}
}

/* ---- answers ----------------------------------------------------------------------------- */

static enum MHD_Result answer(struct metrics_http *http, struct MHD_Connection *connection,
			      unsigned int status, const char *type, char *text, size_t length,
			      enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *response = http->create(length, text, mode);
	enum MHD_Result result;

	if (!response) {
		if (mode == MHD_RESPMEM_MUST_FREE)
			free(text);
		return MHD_NO;
	}
	http->header(response, "Content-Type", type);
	http->header(response, "Cache-Control", "no-store");
	/* A next request on it would hold the connection as a slow one does. */
	http->header(response, "Connection", "close");
	if (status == 405)
		http->header(response, "Allow", "GET, HEAD");
	begin_answer(http, connection, length);
	result = http->queue(connection, status, response);
	http->destroy(response);
	return result;
}

static enum MHD_Result answer_text(struct metrics_http *http, struct MHD_Connection *connection,
				   unsigned int status, const char *text)
{
	return answer(http, connection, status, "text/plain; charset=utf-8", (char *)text,
		      strlen(text), MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result answer_metrics(struct metrics_http *http, struct MHD_Connection *connection)
{
	const char *accepts = http->lookup(connection, MHD_HEADER_KIND, "Accept");
	bool open = accepts && strstr(accepts, "application/openmetrics-text");
	size_t length;
	char *text;

	if (is_full(http))
		return answer_text(http, connection, 503,
				   "too many others read their answers slowly: try again\n");
	if (!http->page(http->arg, open, &text, &length))
		return answer_text(http, connection, 500, "the metrics could not be made\n");
	return answer(http, connection, 200, open ?
		      "application/openmetrics-text; version=1.0.0; charset=utf-8" :
		      "text/plain; version=0.0.4; charset=utf-8",
		      text, length, MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result take(void *arg, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *data,
			    size_t *size, void **state)
{
	static int seen;
	struct metrics_http *http = arg;

	(void)version;
	(void)data;
	/* The first call has the headers only; a body that nobody wants is thrown away. */
	if (!*state) {
		*state = &seen;
		return MHD_YES;
	}
	if (*size) {
		*size = 0;
		return MHD_YES;
	}
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return answer_text(http, connection, 405, "there is GET /metrics\n");
	if (!strcmp(url, "/metrics"))
		return answer_metrics(http, connection);
	if (!strcmp(url, "/"))
		return answer_text(http, connection, 200, "kcatch metrics: see /metrics\n");
	return answer_text(http, connection, 404, "there is /metrics\n");
}

/* ---- the server ---------------------------------------------------------------------------- */

/* "127.0.0.1:9733", "[::1]:9733" */
static bool parse(const char *text, struct sockaddr_storage *address)
{
	struct sockaddr_in *four = (struct sockaddr_in *)address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
	const char *colon = strrchr(text, ':');
	char host[64];
	uint64_t port;
	size_t length = colon ? (size_t)(colon - text) : 0;
	bool brackets = length > 2 && text[0] == '[' && text[length - 1] == ']';

	memset(address, 0, sizeof(*address));
	if (!colon || !option_number(colon + 1, 65535, &port) || length >= sizeof(host))
		return false;
	snprintf(host, sizeof(host), "%.*s", (int)(brackets ? length - 2 : length),
		 text + brackets);
	if (brackets) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons((uint16_t)port);
		return inet_pton(AF_INET6, host, &six->sin6_addr) == 1;
	}
	four->sin_family = AF_INET;
	four->sin_port = htons((uint16_t)port);
	return inet_pton(AF_INET, host, &four->sin_addr) == 1;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *four = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;

	if (address->ss_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
	return ntohl(four->sin_addr.s_addr) >> 24 == 127;
}

static int listen_at(struct metrics_http *http, const char *text)
{
	const char *scheme = http->key ? "https" : "http";
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	int on = 1;

	if (!parse(text, &address)) {
		say("--listen %s: give an address in digits and a port, such as 127.0.0.1:9733 or "
		    "[::1]:9733", quoted(text));
		return -1;
	}
	if (!is_loopback(&address))
		say("--listen %s: whoever reaches this address can read the metrics%s",
		    quoted(text), http->key ? "" : "; they are not encrypted");
	http->fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (http->fd >= 0)
		setsockopt(http->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (http->fd < 0 || bind(http->fd, (struct sockaddr *)&address,
				 address.ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) :
								 sizeof(struct sockaddr_in)) ||
	    listen(http->fd, 64)) {
		say("cannot listen on %s: %s", quoted(text), strerror(errno));
		return -1;
	}
	if (!getsockname(http->fd, (struct sockaddr *)&address, &length))
		say("serving %s://%.*s:%u/metrics", scheme, (int)(strrchr(text, ':') - text),
		    text,
		    ntohs(address.ss_family == AF_INET6 ?
			  ((struct sockaddr_in6 *)&address)->sin6_port :
			  ((struct sockaddr_in *)&address)->sin_port));
	return 0;
}

/* A whole file, which ends in a null byte; NULL after a message. */
static char *read_pem(const char *option, const char *path)
{
	char *text = calloc(1, PEM_MAX);
	FILE *file = text ? fopen(path, "re") : NULL;
	int error = text && file ? 0 : errno;
	size_t length = file ? fread(text, 1, PEM_MAX - 1, file) : 0;

	if (file && ferror(file))
		error = errno;
	if (file)
		fclose(file);
	if (length && length < PEM_MAX - 1 && strstr(text, "-----BEGIN "))
		return text;
	say("%s %s: %s", option, quoted(path), error ? strerror(error) : "this is no PEM file");
	free(text);
	return NULL;
}

static int prepare_tls(struct metrics_http *http, const struct metrics_http_options *options)
{
	if (!options->certificate && !options->key)
		return 0;
	if (!options->certificate || !options->key) {
		say("--tls-cert and --tls-key: give both");
		return -1;
	}
	if (http->supports(MHD_FEATURE_TLS) != MHD_YES) {
		say("--tls-cert: this " LIBRARY " was built without TLS");
		return -1;
	}
	http->certificate = read_pem("--tls-cert", options->certificate);
	if (http->certificate)
		http->key = read_pem("--tls-key", options->key);
	return http->key ? 0 : -1;
}

static int start(struct metrics_http *http, const struct metrics_http_options *options)
{
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, NULL }, { MHD_OPTION_HTTPS_MEM_KEY, 0, NULL },
		{ MHD_OPTION_END, 0, NULL },
	};

	if (load(http) || prepare_tls(http, options) || listen_at(http, options->address))
		return -1;
	tls[0].ptr_value = http->certificate;
	tls[1].ptr_value = http->key;
	http->daemon = http->start(MHD_USE_EPOLL | (http->key ? MHD_USE_TLS : 0), 0, NULL, NULL,
				   take, http, MHD_OPTION_LISTEN_SOCKET, http->fd,
				   MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
				   MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT,
				   MHD_OPTION_NOTIFY_CONNECTION, notify, http,
				   http->key ? MHD_OPTION_ARRAY : MHD_OPTION_END, tls,
				   MHD_OPTION_END);
	if (http->daemon) {
		http->fd = -1;	/* the daemon closes it */
		return 0;
	}
	say("libmicrohttpd cannot serve %s%s", quoted(options->address),
	    http->key ? "; do certificate and key belong together?" : "");
	return -1;
}

int metrics_http_start(const struct metrics_http_options *options, metrics_page *page, void *arg,
		       struct metrics_http **result)
{
	struct metrics_http *http = calloc(1, sizeof(*http));
	size_t i;

	if (!http) {
		say("out of memory");
		return -1;
	}
	for (i = 0; i < CONNECTIONS; i++)
		http->clients[i].fd = -1;
	http->fd = -1;
	http->page = page;
	http->arg = arg;
	if (start(http, options)) {
		metrics_http_stop(http);
		return -1;
	}
	*result = http;
	return 0;
}

int metrics_http_fd(const struct metrics_http *http)
{
	return http->info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int metrics_http_wait_ms(const struct metrics_http *http)
{
	MHD_UNSIGNED_LONG_LONG wait;

	if (http->timeout(http->daemon, &wait) != MHD_YES)
		return -1;
	return wait < 60000 ? (int)wait : 60000;
}

void metrics_http_run(struct metrics_http *http)
{
	http->run(http->daemon);
	/* Behind it: what came while we were held up is taken in time. */
	end_late(http, follow_clock());
}

void metrics_http_stop(struct metrics_http *http)
{
	if (!http)
		return;
	if (http->daemon)
		http->stop(http->daemon);
	if (http->fd >= 0)
		close(http->fd);
	if (http->library)
		dlclose(http->library);
	free(http->certificate);
	free(http->key);
	free(http);
}
