/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_http.h - serves metrics over HTTP with libmicrohttpd, loaded when it is needed */
#ifndef CLI_METRICS_HTTP_H
#define CLI_METRICS_HTTP_H

#include <stdbool.h>
#include <stddef.h>

struct metrics_http;

/**
 * typedef metrics_page - make the metrics
 * @arg: of metrics_http_start()
 * @open: OpenMetrics is wanted, see metrics_print()
 * @text: set to the text, allocated; owned by the caller
 * @length: set to its bytes
 *
 * Return: whether it could be made.
 */
typedef bool metrics_page(void *arg, bool open, char **text, size_t *length);

/**
 * struct metrics_http_options - where and how to listen
 * @address: "127.0.0.1:9733", "[::1]:9733"; an address in digits, port 0: any
 * @certificate: PEM file with the server's certificate and those above it; NULL: no TLS
 * @key: PEM file with its key; NULL: no TLS
 */
struct metrics_http_options {
	const char *address;
	const char *certificate;
	const char *key;
};

/**
 * metrics_http_start - listen
 * @options: where and how; not needed afterwards
 * @page: called from metrics_http_run()
 * @arg: for @page
 * @http: the server
 *
 * Return: 0, or -1 after a message.
 */
int metrics_http_start(const struct metrics_http_options *options, metrics_page *page, void *arg,
		       struct metrics_http **http);

/** metrics_http_fd - a descriptor that is readable when metrics_http_run() has something to do */
int metrics_http_fd(const struct metrics_http *http);

/** metrics_http_wait_ms - how long metrics_http_run() may be left out at most, ms; -1: forever */
int metrics_http_wait_ms(const struct metrics_http *http);

/** metrics_http_run - answer what was asked; does not block */
void metrics_http_run(struct metrics_http *http);

/** metrics_http_stop - stop listening and free the server; NULL is fine */
void metrics_http_stop(struct metrics_http *http);

#endif
