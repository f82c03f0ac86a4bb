/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics.c - kcatch metrics: what rules count, for Prometheus
 *
 * Each rule is a session that counts in the kernel. Its table is emptied each second, and by a
 * scrape, into the rule's series. When the rules are read again, a rule that has not changed keeps
 * its session: it misses no call.
 *
 * Functions and events of a module go with it. When they are there again, the rule gets another
 * session, and its series go on.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <kcatch.h>

#include "command.h"
#include "follow.h"
#include "interrupt.h"
#include "metrics_http.h"
#include "metrics_rules.h"
#include "metrics_series.h"
#include "metrics_text.h"
#include "options.h"
#include "session_open.h"

#define RULES "/etc/kcatch/metrics.d"
#define LISTEN "127.0.0.1:9733"
#define RING_SIZE 8192U			/* bytes per CPU: the least; nothing is recorded */
#define TAKE_NS FOLLOW_SECOND		/* between two readings of the kernel's tables */
#define AGAIN_NS (30 * FOLLOW_SECOND)	/* after one for which a CPU kept us waiting */
#define GONE_NS (30 * FOLLOW_SECOND)	/* between two looks for what has gone */
#define FRESH_NS (FOLLOW_SECOND / 10)	/* a scrape takes what is older */

struct metrics_options {
	const char *rules;
	struct metrics_http_options http;
	const char *textfile;
	uint64_t interval_ns;
	bool check;
};

/* A rule that counts, or will. */
struct active {
	struct metrics_rule *rule;
	struct kcatch_session *session;
	struct metrics_store store;
	struct kcatch_totals totals;	/* as they were read last */
	struct kcatch_totals before;	/* of its sessions before this one */
	uint64_t created_ns;
	size_t most;		/* functions and events that it ever had */
	size_t gone;		/* how many of them it has not now: their module was unloaded */
	uint64_t try_ns;	/* CLOCK_MONOTONIC of the next look for them, modules or not */
};

struct metrics {
	struct metrics_options options;
	struct active **active;
	size_t nr;
	struct metrics_source *sources;
	struct metrics_state state;
	struct metrics_http *http;
	uint64_t taken_ns;	/* CLOCK_MONOTONIC of the last reading */
	uint64_t write_ns;	/* CLOCK_MONOTONIC of the next writing of the text file */
	bool unwritten;		/* the last writing failed, and that was said */
	bool untaken;		/* the same of the last reading */
	uint64_t again_ns;	/* not to be read before: CLOCK_MONOTONIC */
	uint64_t modules;	/* which are loaded, hashed */
	int hangup;
};

/* ---- rules -------------------------------------------------------------------------------- */

static uint64_t wall_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * FOLLOW_SECOND + (uint64_t)now.tv_nsec;
}

static void free_active(struct active *active)
{
	if (!active)
		return;
	kcatch_session_close(active->session);
	metrics_store_deinit(&active->store);
	metrics_rule_free(active->rule);
	free(active);
}

/* The part of the rule that the library's error is about. */
static unsigned int column_of(const struct metrics_rule *rule, const char *error)
{
	if (strstr(error, "bad key: ") && rule->keys_at)
		return rule->keys_at;
	if (strstr(error, "bad value: ") && rule->value_at)
		return rule->value_at;
	if (strstr(error, "bad condition: ") && rule->condition_at)
		return rule->condition_at;
	return rule->targets_at;
}

static int set_up(const struct metrics_rule *rule, struct kcatch_session *session)
{
	int ret = kcatch_session_setup(session, RING_SIZE, &rule->request);

	return ret ? ret : kcatch_session_add(session, &rule->request);
}

/* Arm a rule, but do not start it. Return: 0; -1 after a message. */
static int arm(struct active *active)
{
	const struct metrics_rule *rule = active->rule;
	const char *note;
	uint64_t left_out;
	size_t i;

	if (session_open(&active->session))
		return -1;
	if (set_up(rule, active->session)) {
		metrics_rule_say(rule, column_of(rule, kcatch_error_text()), "%s",
				 kcatch_error_text());
		return -1;
	}
	if (!kcatch_session_nr_probes(active->session)) {
		metrics_rule_say(rule, rule->targets_at, "none of these can be traced");
		return -1;
	}
	for (i = 0; (note = kcatch_session_note(active->session, i)); i++)
		metrics_rule_say(rule, rule->targets_at, "%s", note);
	active->most = kcatch_session_nr_probes(active->session);
	left_out = kcatch_session_nr_left_out(active->session);
	if (left_out)
		metrics_rule_say(rule, rule->targets_at, "%" PRIu64 " that match are left out: the "
				 "condition, a key or a value does not apply to them", left_out);
	return 0;
}

static struct active *new_active(struct metrics_rule *rule)
{
	struct active *active = calloc(1, sizeof(*active));

	if (!active) {
		metrics_rule_free(rule);
		return NULL;
	}
	active->rule = rule;
	active->store.labels = rule->labels;
	active->store.nr_labels = rule->count.nr_keys;
	active->store.max = rule->series_max;
	active->store.seconds = rule->unit == METRICS_SECONDS;
	active->store.has_buckets = rule->kind == METRICS_HISTOGRAM;
	if (!metrics_store_init(&active->store))
		return active;
	free_active(active);
	return NULL;
}

/* By their words: those of --description "a b" are not those of --description a b. */
static bool are_same(const struct metrics_rule *one, const struct metrics_rule *other)
{
	size_t i;

	if (one->nr_words != other->nr_words)
		return false;
	for (i = 0; i < one->nr_words; i++)
		if (strcmp(one->words[i], other->words[i]) != 0)
			return false;
	return true;
}

/* The rule with the same words that counts already. */
static struct active *find_old(struct metrics *metrics, const struct metrics_rule *rule)
{
	size_t i;

	for (i = 0; i < metrics->nr; i++)
		if (are_same(metrics->active[i]->rule, rule))
			return metrics->active[i];
	return NULL;
}

/* Rules that count already are where they stand in files that were taken, and nowhere else. */
static void move_old(struct metrics_rules *rules, struct active **list)
{
	size_t i;

	for (i = 0; i < rules->nr; i++) {
		struct metrics_rule *rule = rules->rules[i];
		char *file;

		if (!rule)
			continue;	/* a new one, which is in its place */
		file = list[i]->rule->file;
		list[i]->rule->file = rule->file;
		list[i]->rule->line = rule->line;
		rule->file = file;
		list[i]->try_ns = 0;
	}
}

static bool is_in(struct active *const *list, size_t nr, const struct active *active)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (list[i] == active)
			return true;
	return false;
}

/* Free the entries of @list that are not in @kept. */
static void drop(struct active **list, size_t nr, struct active *const *kept, size_t nr_kept)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!is_in(kept, nr_kept, list[i]))
			free_active(list[i]);
	free(list);
}

/* Arm all that is new; every error is printed. Return: the number of errors. */
static size_t arm_new(struct metrics *metrics, struct metrics_rules *rules, struct active **list)
{
	size_t i, errors = 0;

	for (i = 0; i < rules->nr; i++) {
		struct metrics_rule *rule = rules->rules[i];

		list[i] = find_old(metrics, rule);
		if (list[i])
			continue;
		rules->rules[i] = NULL;
		list[i] = new_active(rule);
		if (!list[i])
			say("out of memory");
		if (!list[i] || arm(list[i]))
			errors++;
	}
	return errors;
}

static int start_new(struct metrics *metrics, struct active **list, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (is_in(metrics->active, metrics->nr, list[i]))
			continue;
		list[i]->created_ns = wall_clock();
		if (kcatch_session_start(list[i]->session)) {
			metrics_rule_say(list[i]->rule, list[i]->rule->targets_at, "%s",
					 kcatch_error_text());
			return -1;
		}
	}
	return 0;
}

/* Read the rules, and count by them. Return: 0; -1 after messages, and nothing has changed. */
static int load(struct metrics *metrics)
{
	struct metrics_rules rules = { .nr = 0 };
	struct metrics_source *sources = NULL;
	struct active **list = NULL;
	bool wrong = !metrics_rules_read(metrics->options.rules, &rules);
	size_t errors, nr;

	/* --check tells the errors of all rules: those that are written well may not be armed. */
	if (wrong && (!metrics->options.check || !rules.nr)) {
		metrics_rules_deinit(&rules);
		return -1;
	}
	nr = rules.nr;
	list = calloc(nr, sizeof(struct active *));
	sources = calloc(nr, sizeof(*sources));
	errors = !list || !sources || arm_new(metrics, &rules, list);
	if (wrong || errors || (!metrics->options.check && start_new(metrics, list, nr))) {
		if (list)
			drop(list, nr, metrics->active, metrics->nr);
		free(sources);
		metrics_rules_deinit(&rules);
		return -1;
	}
	move_old(&rules, list);
	metrics_rules_deinit(&rules);
	drop(metrics->active, metrics->nr, list, nr);
	free(metrics->sources);
	metrics->active = list;
	metrics->nr = nr;
	metrics->sources = sources;
	metrics->state.reload_ns = wall_clock();
	metrics->state.version = kcatch_session_version(list[0]->session);
	return 0;
}

static void reload(struct metrics *metrics)
{
	struct signalfd_siginfo info;

	while (read(metrics->hangup, &info, sizeof(info)) > 0)
		;
	metrics->state.reload_good = !load(metrics);
	if (metrics->state.reload_good)
		say("%zu rules", metrics->nr);
	else
		say("the rules in use stay as they are");
}

/* ---- counts --------------------------------------------------------------------------------- */

static int take_one(struct active *active)
{
	const struct kcatch_counts *counts;
	int ret = kcatch_session_count(active->session, &counts);

	if (ret)
		return ret;
	ret = metrics_store_add(&active->store, active->session, counts);
	/* What could not be added stays, to be added with the next. */
	if (!ret)
		kcatch_session_count_reset(active->session);
	return ret;
}

/* Counters that fell to 0 would be those of a new kcatch to Prometheus: the last ones stay. */
static bool read_totals(struct active *active)
{
	struct kcatch_totals totals;

	if (kcatch_session_totals(active->session, &totals))
		return false;
	kcatch_totals_add(&totals, &active->before);
	active->totals = totals;
	return true;
}

/* ---- modules that come and go ---------------------------------------------------------------- */

/* Name, size, state and address of each module (FNV-1a): functions of one that is being loaded
 * cannot be armed yet. Its users, and their number, come and go. */
static uint64_t hash_modules(void)
{
	FILE *file = fopen("/proc/modules", "re");
	uint64_t hash = 0xcbf29ce484222325;
	char line[4096], words[4][64];
	const char *at;
	size_t i;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %63s %*s %*s %63s %63s", words[0], words[1], words[2],
			   words[3]) != 4)
			continue;
		for (i = 0; i < 4; i++)
			for (at = words[i]; *at; at++)
				hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
	}
	if (file)
		fclose(file);
	return hash;
}

/* Go on with the new session. Calls in between are not counted. False after a message: the old one
 * goes on. */
static bool change_session(struct active *active, struct kcatch_session *fresh)
{
	struct kcatch_totals totals;
	int ret = kcatch_session_stop(active->session);

	if (!ret)
		ret = take_one(active);
	if (!ret)
		ret = kcatch_session_totals(active->session, &totals);
	if (!ret)
		ret = kcatch_session_start(fresh);
	if (ret) {
		metrics_rule_say(active->rule, active->rule->targets_at, "%s",
				 kcatch_error_text());
		kcatch_session_start(active->session);
		return false;
	}
	kcatch_totals_add(&active->before, &totals);
	kcatch_session_close(active->session);
	active->session = fresh;
	return true;
}

/* Are more of them there than count now? Errors are none: what has gone is not there yet. */
static void try_again(struct active *active)
{
	const struct metrics_rule *rule = active->rule;
	struct kcatch_session *fresh = NULL;
	size_t nr;

	active->try_ns = follow_clock() + GONE_NS;
	if (kcatch_session_open(&fresh))
		return;
	nr = set_up(rule, fresh) ? 0 : kcatch_session_nr_probes(fresh);
	if (nr <= kcatch_session_nr_attached(active->session)) {
		kcatch_session_close(fresh);
		return;
	}
	if (!change_session(active, fresh)) {
		kcatch_session_close(fresh);
		active->try_ns = 0;
		return;
	}
	if (nr > active->most)
		active->most = nr;
	active->gone = active->most - nr;
	if (active->gone)
		metrics_rule_say(rule, rule->targets_at,
				 "modules were loaded: %zu of %zu are counted now", nr,
				 active->most);
	else
		metrics_rule_say(rule, rule->targets_at,
				 "modules were loaded: %zu are counted now", nr);
}

/* Functions and events that have gone are looked for when they go, when other modules are loaded,
 * and now and then. A session knows only what was there when it was made: so they are compared with
 * the most that the rule ever had. */
static void look_for_gone(struct metrics *metrics)
{
	uint64_t modules, now = follow_clock();
	bool any = false, changed;
	size_t i;

	for (i = 0; i < metrics->nr; i++) {
		struct active *active = metrics->active[i];
		size_t attached = kcatch_session_nr_attached(active->session), gone;

		if (attached > active->most)
			active->most = attached;
		gone = active->most - attached;
		if (gone > active->gone) {
			metrics_rule_say(active->rule, active->rule->targets_at,
					 "%zu of %zu have gone with their module, and are counted again "
					 "when it is loaded", gone, active->most);
			active->try_ns = 0;
		}
		active->gone = gone;
		any |= gone;
	}
	if (!any)
		return;
	/* Before they are looked for: what comes then is seen the next time. */
	modules = hash_modules();
	changed = modules != metrics->modules;
	metrics->modules = modules;
	for (i = 0; i < metrics->nr; i++)
		if (metrics->active[i]->gone && (changed || now >= metrics->active[i]->try_ns))
			try_again(metrics->active[i]);
	metrics->state.version = kcatch_session_version(metrics->active[0]->session);
}

/* ---- taking and printing -------------------------------------------------------------------- */

static void take(struct metrics *metrics, uint64_t now)
{
	bool failed = false;
	size_t i;
	int ret;

	metrics->taken_ns = now;
	if (now < metrics->again_ns)
		return;
	for (i = 0; i < metrics->nr; i++) {
		ret = take_one(metrics->active[i]);
		if (!ret)
			continue;
		if (!metrics->untaken && !failed)
			metrics_rule_say(metrics->active[i]->rule, 1, "%s", kcatch_error_text());
		failed = true;
		/* A CPU takes no interrupts: the other rules would wait for it, too. What was taken
		 * before is served meanwhile. */
		if (ret == -ETIMEDOUT) {
			metrics->again_ns = follow_clock() + AGAIN_NS;
			break;
		}
	}
	metrics->state.errors += failed;
	metrics->untaken = failed;
	if (!failed)
		look_for_gone(metrics);
}

static void print(struct metrics *metrics, FILE *out, bool open)
{
	bool failed = false;
	size_t i;

	for (i = 0; i < metrics->nr; i++) {
		struct active *active = metrics->active[i];
		struct metrics_source *source = &metrics->sources[i];

		source->rule = active->rule;
		source->store = &active->store;
		source->created_ns = active->created_ns;
		failed |= !read_totals(active);
		source->totals = active->totals;
		source->gone = active->gone;
	}
	metrics->state.errors += failed;
	metrics_print(out, open, metrics->sources, metrics->nr, &metrics->state);
}

static bool page(void *arg, bool open, char **text, size_t *length)
{
	struct metrics *metrics = arg;
	uint64_t now = follow_clock();
	FILE *out;

	if (now - metrics->taken_ns >= FRESH_NS)
		take(metrics, now);
	*text = NULL;
	out = open_memstream(text, length);
	if (!out)
		return false;
	print(metrics, out, open);
	if (!fclose(out))
		return true;
	free(*text);
	return false;
}

/*
 * The new file takes the place of what is there: only a file may go for it, and not /dev/null.
 * Return: 0 or -errno.
 */
static int check_file(const char *path)
{
	struct stat status;

	if (lstat(path, &status) || S_ISREG(status.st_mode))
		return 0;
	return S_ISDIR(status.st_mode) ? -EISDIR : S_ISLNK(status.st_mode) ? -ELOOP : -EINVAL;
}

/* Who could read the file that is replaced can read the new one, whatever the umask is. */
static int keep_mode(const char *path, int fd)
{
	struct stat old, made;

	if (lstat(path, &old) || fstat(fd, &made))
		return 0;	/* there is none */
	if ((old.st_uid != made.st_uid || old.st_gid != made.st_gid) &&
	    fchown(fd, old.st_uid, old.st_gid) && errno != EPERM)
		return errno;
	return old.st_mode != made.st_mode && fchmod(fd, old.st_mode & 0777) ? errno : 0;
}

/* Readers of the file see the old one or the new one, and never a part. */
static int write_file(struct metrics *metrics)
{
	const char *path = metrics->options.textfile;
	char *name = NULL;
	FILE *out;
	int fd, error = -check_file(path);

	if (error)
		return -error;
	if (asprintf(&name, "%s.%d", path, (int)getpid()) < 0)
		return -ENOMEM;
	/* What is there was left by a kcatch that was killed, or put there to be waited for. */
	unlink(name);
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out) {
		error = errno;
		if (fd >= 0)
			close(fd);
	} else {
		error = keep_mode(path, fd);
		print(metrics, out, false);
		if (ferror(out) || fflush(out))
			error = errno ? errno : EIO;
		if (fclose(out) && !error)
			error = errno;
	}
	if (!error && rename(name, path))
		error = errno;
	if (error && fd >= 0)
		unlink(name);
	free(name);
	return -error;
}

static void write_textfile(struct metrics *metrics, uint64_t now)
{
	int ret;

	if (now - metrics->taken_ns >= FRESH_NS)
		take(metrics, now);
	ret = write_file(metrics);
	metrics->write_ns = now + metrics->options.interval_ns;
	metrics->state.errors += ret < 0;
	if (ret && !metrics->unwritten)
		say("cannot write %s: %s; trying again", quoted(metrics->options.textfile),
		    strerror(-ret));
	if (!ret && metrics->unwritten)
		say("%s is written again", quoted(metrics->options.textfile));
	metrics->unwritten = ret != 0;
}

/* ---- the loop ------------------------------------------------------------------------------ */

static int wait_ms(const struct metrics *metrics, uint64_t now)
{
	uint64_t due = metrics->taken_ns + TAKE_NS;
	int ms, http = metrics->http ? metrics_http_wait_ms(metrics->http) : -1;

	if (metrics->options.textfile && metrics->write_ns < due)
		due = metrics->write_ns;
	ms = due <= now ? 0 : (int)((due - now + 999999) / 1000000);
	return http >= 0 && http < ms ? http : ms;
}

static int run(struct metrics *metrics)
{
	struct pollfd fds[] = {
		{ signals_init(), POLLIN, 0 },
		{ metrics->hangup, POLLIN, 0 },
		{ metrics->http ? metrics_http_fd(metrics->http) : -1, POLLIN, 0 },
	};

	while (!signals_came()) {
		uint64_t now = follow_clock();

		if (now - metrics->taken_ns >= TAKE_NS)
			take(metrics, now);
		if (metrics->options.textfile && now >= metrics->write_ns)
			write_textfile(metrics, now);
		if (poll(fds, sizeof(fds) / sizeof(fds[0]), wait_ms(metrics, now)) < 0 &&
		    errno != EINTR) {
			say("poll: %s", strerror(errno));
			return STATUS_ERROR;
		}
		if (fds[1].revents)
			reload(metrics);
		if (metrics->http)
			metrics_http_run(metrics->http);
	}
	return STATUS_CAUGHT;
}

/* SIGHUP reads the rules again, even if it was ignored (nohup). */
static int watch_hangup(struct metrics *metrics)
{
	sigset_t set;

	signals_init();
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	signal(SIGHUP, SIG_DFL);
	if (!sigprocmask(SIG_BLOCK, &set, NULL))
		metrics->hangup = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (metrics->hangup >= 0)
		return 0;
	say("signalfd: %s", strerror(errno));
	return -1;
}

static int serve(struct metrics *metrics)
{
	struct metrics_http_options *http = &metrics->options.http;

	if (!http->address && (!metrics->options.textfile || http->certificate || http->key))
		http->address = LISTEN;
	if (http->address && metrics_http_start(http, page, metrics, &metrics->http))
		return STATUS_ERROR;
	say("%zu rules", metrics->nr);
	return run(metrics);
}

static int metrics_main(int argc, char **argv)
{
	struct metrics metrics = {
		.options = { .rules = RULES },
		.state = { .reload_good = true },
		.hangup = -1,
	};
	int status = options_parse(&command_metrics, argc, argv, &metrics.options);

	if (status >= 0)
		return command_end(status);
	if (optind < argc) {
		say("what is %s? Rules are in files: --rules %s", quoted(argv[optind]), RULES);
		return STATUS_ERROR;
	}
	if (metrics.options.check && (metrics.options.http.address || metrics.options.textfile ||
				      metrics.options.http.certificate ||
				      metrics.options.http.key)) {
		say("--check serves and writes nothing: give it without --listen, --textfile and --tls-...");
		return STATUS_ERROR;
	}
	if (metrics.options.interval_ns && !metrics.options.textfile) {
		say("-d is for --textfile: who asks by HTTP gets the counters of that moment");
		return STATUS_ERROR;
	}
	if (!metrics.options.interval_ns)
		metrics.options.interval_ns = 15 * FOLLOW_SECOND;
	if (metrics.options.textfile && check_file(metrics.options.textfile)) {
		say("--textfile %s: this is no regular file, and one would take its place; give a file's "
		    "name, such as /var/lib/prometheus/node-exporter/kcatch.prom",
		    quoted(metrics.options.textfile));
		return STATUS_ERROR;
	}
	status = watch_hangup(&metrics) || load(&metrics) ? STATUS_ERROR : STATUS_CAUGHT;
	if (status == STATUS_CAUGHT && metrics.options.check)
		say("%zu rules, no error", metrics.nr);
	else if (status == STATUS_CAUGHT)
		status = serve(&metrics);
	metrics_http_stop(metrics.http);
	drop(metrics.active, metrics.nr, NULL, 0);
	free(metrics.sources);
	if (metrics.hangup >= 0)
		close(metrics.hangup);
	return command_end(status);
}

#define INTO(member) OPTION_INTO(struct metrics_options, member)

static const struct option_rule option_rules = {
	.name = "rules", .value = "PATH",
	.help = "a file, or a directory of files *.conf\n(default " RULES ")",
	.wanted = "give a file or a directory",
	.kind = OPTION_TEXT, INTO(rules),
};

static const struct option_rule option_listen = {
	.name = "listen", .value = "ADDRESS:PORT",
	.help = "serve /metrics by HTTP there (default " LISTEN ",\nor nowhere with --textfile)",
	.wanted = "give an address and a port, such as 127.0.0.1:9733",
	.kind = OPTION_TEXT, INTO(http.address),
};

static const struct option_rule option_certificate = {
	.name = "tls-cert", .value = "FILE",
	.help = "serve by HTTPS: a PEM file with the certificate",
	.wanted = "give the name of a PEM file",
	.kind = OPTION_TEXT, INTO(http.certificate),
};

static const struct option_rule option_key = {
	.name = "tls-key", .value = "FILE", .help = "a PEM file with the key of the certificate",
	.wanted = "give the name of a PEM file",
	.kind = OPTION_TEXT, INTO(http.key),
};

static const struct option_rule option_textfile = {
	.name = "textfile", .value = "FILE", .help = "write this file, for node_exporter",
	.wanted = "give the name of a file",
	.kind = OPTION_TEXT, INTO(textfile),
};

static const struct option_rule option_every = {
	.name = "interval", .letter = 'd', .value = "SEC",
	.help = "--textfile: seconds between two writings (default 15)",
	.wanted = "give seconds, at least 0.1, such as 30",
	.kind = OPTION_SECONDS, .least = 100000000, .most = UINT64_MAX, INTO(interval_ns),
};

static const struct option_rule option_check = {
	.name = "check", .help = "check the rules on this kernel, then end",
	.kind = OPTION_ON, INTO(check),
};

static const struct option_use uses[] = {
	{ &option_rules, NULL },
	{ &option_listen, NULL },
	{ &option_certificate, NULL },
	{ &option_key, NULL },
	{ &option_textfile, NULL },
	{ &option_every, NULL },
	{ &option_check, NULL },
	{ &option_help, NULL },
	{ NULL, NULL }
};

static const char help[] =
"kcatch metrics - what rules count in the kernel, for Prometheus\n"
"\n"
"  kcatch metrics                          serve what /etc/kcatch/metrics.d says\n"
"  kcatch metrics --check                  are the rules right?\n"
"  kcatch metrics --textfile /var/lib/prometheus/node-exporter/kcatch.prom\n"
"\n"
"A rule is a line: NAME FUNCTION... [CONDITION] [-e EVENT] [--by KEY,...] [--hist EXPR]\n"
"  fsync_seconds vfs_fsync_range 'latency > 1ms' --by comm --hist latency\n"
"\n"
"usage: kcatch metrics [options]\n"
"\n";

const struct command command_metrics = {
	.name = "metrics",
	.run = metrics_main,
	.description = "what rules count in the kernel, for Prometheus",
	.help = help,
	.options = uses,
	.help_end =
	"\n"
	"SIGHUP reads the rules again; rules that have not changed miss no call.\n"
	"Exit status: 0 ended by a signal, or --check found no error; 1 for an error.\n",
	.shows_nothing = true,
};
