/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_rules.c - reads the rules of kcatch metrics and finds what is wrong with them
 *
 * All errors of all files are printed, each with its place, and nothing is armed meanwhile.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <report.h>

#include "command.h"
#include "metrics_rules.h"
#include "options.h"
#include "words.h"

#define FILE_MAX (1U << 20)	/* bytes of a file of rules */
#define WORDS_MAX 64U		/* words of a rule */
#define TABLE_SIZE (64U << 10)	/* bytes per CPU: it is emptied each second */

void metrics_rule_say(const struct metrics_rule *rule, unsigned int column, const char *format, ...)
{
	char text[1200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	say("%s:%u:%u: %s", rule->file, rule->line, column, text);
}

void metrics_rule_free(struct metrics_rule *rule)
{
	size_t i;

	if (!rule)
		return;
	for (i = 0; i < rule->nr_words; i++)
		free(rule->words[i]);
	for (i = 0; rule->labels && i < rule->count.nr_keys; i++)
		free(rule->labels[i]);
	for (i = 0; i < sizeof(rule->lists) / sizeof(rule->lists[0]); i++)
		free(rule->lists[i]);
	free(rule->labels);
	free(rule->words);
	free(rule->columns);
	free(rule->keys);
	free(rule->help);
	free(rule->text);
	free(rule->file);
	free(rule);
}

void metrics_rules_deinit(struct metrics_rules *rules)
{
	size_t i;

	for (i = 0; i < rules->nr; i++)
		metrics_rule_free(rules->rules[i]);
	free(rules->rules);
	memset(rules, 0, sizeof(*rules));
}

/* ---- words ---------------------------------------------------------------------------- */

/* A word as a shell reads it: '...' as it is, "..." with \" \\ \$ \`. Return: its end, or NULL. */
static const char *take_word(struct metrics_rule *rule, const char *line, const char *at)
{
	char *word = malloc(strlen(at) + 1), *to = word;
	const char *begin = at;
	char quote = 0;

	for (; word && *at && (quote || (*at != ' ' && *at != '\t')); at++) {
		if (!quote && (*at == '"' || *at == '\''))
			quote = *at;
		else if (quote && *at == quote)
			quote = 0;
		else if (*at == '\\' && at[1] &&
			 (!quote || (quote == '"' && strchr("\"\\$`", at[1]))))
			*to++ = *++at;
		else
			*to++ = *at;
	}
	if (!word || rule->nr_words == WORDS_MAX || quote) {
		metrics_rule_say(rule, (unsigned int)(begin - line) + 1, "%s",
				 !word ? "out of memory" :
				 quote ? "the quotation that begins here has no end" :
					 "a rule has at most 64 words");
		free(word);
		return NULL;
	}
	*to = '\0';
	rule->columns[rule->nr_words] = (unsigned int)(begin - line) + 1;
	rule->words[rule->nr_words++] = word;
	return at;
}

static bool split(struct metrics_rule *rule, const char *line)
{
	const char *at = line;

	for (; *at; at++) {
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == 127) {
			metrics_rule_say(rule, (unsigned int)(at - line) + 1,
					 "a control character (0x%02x)", (unsigned char)*at);
			return false;
		}
	}
	for (at = line; ; ) {
		at += strspn(at, " \t");
		if (!*at || *at == '#')
			return true;
		at = take_word(rule, line, at);
		if (!at)
			return false;
	}
}

/* The rule as a command; kcatch count does not limit the number of keys. */
static bool make_help(struct metrics_rule *rule)
{
	size_t length, i;
	FILE *out = open_memstream(&rule->help, &length);

	if (!out)
		return false;
	fputs("kcatch count", out);
	for (i = 1; i < rule->nr_words; i++) {
		if (!strcmp(rule->words[i], "--series")) {
			i++;
			continue;
		}
		fputc(' ', out);
		report_write_shell(out, rule->words[i]);
	}
	return !fclose(out);
}

static bool join_text(struct metrics_rule *rule)
{
	size_t length, i;
	FILE *out = open_memstream(&rule->text, &length);

	if (!out)
		return false;
	for (i = 0; i < rule->nr_words; i++) {
		if (i)
			fputc(' ', out);
		report_write_shell(out, rule->words[i]);
	}
	return !fclose(out);
}

/* ---- names ---------------------------------------------------------------------------- */

static bool ends_in(const char *name, const char *end)
{
	size_t length = strlen(name), tail = strlen(end);

	return length > tail && !strcmp(name + length - tail, end);
}

static bool check_name(struct metrics_rule *rule)
{
	static const char *const ours[] = { "_total", "_count", "_sum", "_bucket", "_created",
					    "_info" };
	static const char *const units[] = { "_ns", "_us", "_ms", "_milliseconds",
					     "_microseconds", "_nanoseconds", "_kb", "_mb" };
	const char *name = rule->name;
	size_t i;

	if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name) ||
	    isdigit((unsigned char)*name) || *name == '_' || strlen(name) > 100) {
		metrics_rule_say(rule, rule->columns[0], "%s is no name of a metric: lower-case "
				 "letters, digits and _, at most 100", quoted(name));
		return false;
	}
	if (!strncmp(name, "kcatch_", 7)) {
		metrics_rule_say(rule, rule->columns[0], "names that begin with kcatch_ are those "
				 "of kcatch's own metrics");
		return false;
	}
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (ends_in(name, ours[i])) {
			metrics_rule_say(rule, rule->columns[0], "%s: leave %s away, it is added "
					 "where it belongs", name, ours[i]);
			return false;
		}
	}
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (ends_in(name, units[i])) {
			metrics_rule_say(rule, rule->columns[0], "%s: metrics are in seconds and "
					 "bytes: end the name in _seconds or _bytes", name);
			return false;
		}
	}
	rule->unit = ends_in(name, "_seconds") ? METRICS_SECONDS :
		     ends_in(name, "_bytes")   ? METRICS_BYTES : METRICS_NO_UNIT;
	return true;
}

/* "file->f_inode->i_ino" becomes file_f_inode_i_ino. */
static char *label_of(const char *key)
{
	char *label = malloc(strlen(key) + 2), *to = label;

	if (!label)
		return NULL;
	if (isdigit((unsigned char)*key))
		*to++ = '_';
	for (; *key; key++) {
		if (isalnum((unsigned char)*key))
			*to++ = *key;
		else if (to > label && to[-1] != '_')
			*to++ = '_';
	}
	while (to > label && to[-1] == '_')
		to--;
	*to = '\0';
	return label;
}

static bool make_labels(struct metrics_rule *rule)
{
	size_t i, j;

	rule->labels = calloc(rule->count.nr_keys + 1, sizeof(*rule->labels));
	for (i = 0; rule->labels && i < rule->count.nr_keys; i++) {
		const char *key = rule->count.keys[i];

		rule->labels[i] = label_of(key);
		if (!rule->labels[i])
			break;
		if (!*rule->labels[i] || !strcmp(rule->labels[i], "le")) {
			metrics_rule_say(rule, rule->keys_at, "the key %s makes no label",
					 quoted(key));
			return false;
		}
		if (!strcmp(key, "stack") || !strcmp(key, "user_stack")) {
			metrics_rule_say(rule, rule->keys_at, "a stack is no label: count it with "
					 "kcatch count, or use caller");
			return false;
		}
		for (j = 0; j < i; j++) {
			if (strcmp(rule->labels[i], rule->labels[j]) != 0)
				continue;
			metrics_rule_say(rule, rule->keys_at, "two keys make the same label %s",
					 rule->labels[i]);
			return false;
		}
	}
	if (!rule->labels || i < rule->count.nr_keys) {
		say("out of memory");
		return false;
	}
	return true;
}

/* ---- a rule ----------------------------------------------------------------------------- */

enum list { LIST_FUNCTIONS, LIST_EVENTS, LIST_KEYS };

static bool add_to(struct metrics_rule *rule, enum list list, const char *word, size_t *nr)
{
	return options_add_name(&rule->lists[list], nr, word) < 0;
}

/* --by KEY,...: once */
static bool take_keys(struct metrics_rule *rule, const char *value, unsigned int column)
{
	char *at, *end;

	if (rule->keys) {
		metrics_rule_say(rule, column, "a second --by: give all keys in one, with commas");
		return false;
	}
	rule->keys = at = strdup(value);
	rule->keys_at = column;
	for (;;) {
		bool last;

		if (!at)
			return false;
		end = words_key_end(at);
		last = !*end;
		*end = '\0';
		if (!*at) {
			metrics_rule_say(rule, column, "an empty key: give keys separated by "
					 "commas, for example --by comm,caller");
			return false;
		}
		if (!add_to(rule, LIST_KEYS, at, &rule->count.nr_keys))
			return false;
		if (last)
			return true;
		at = end + 1;
	}
}

static bool take_number(struct metrics_rule *rule, const char *name, const char *value,
			unsigned int column, uint64_t least, uint64_t most, uint64_t *number)
{
	bool bytes = !strcmp(name, "--size");

	if ((bytes ? option_bytes(value, number) : option_number(value, most, number)) &&
	    *number >= least && *number <= most)
		return true;
	metrics_rule_say(rule, column, "%s %s: give %s", name, quoted(value),
			 bytes ? "bytes per CPU, 8K to 256M" :
			 !strcmp(name, "--series") ? "a number of series, 1 to 100000" :
						     "a process number");
	return false;
}

static bool take_expression(struct metrics_rule *rule, const char **to, const char *value,
			    unsigned int column)
{
	if (rule->value_at) {
		metrics_rule_say(rule, column, "a metric has one value: --hist or --stats, once");
		return false;
	}
	rule->value_at = column;
	*to = value;
	return true;
}

static bool take_option(struct metrics_rule *rule, const char *name, const char *value,
			unsigned int column)
{
	uint64_t number = 0;

	if (!*value) {
		metrics_rule_say(rule, column, "%s has an empty value", name);
		return false;
	}
	if (!strcmp(name, "--by"))
		return take_keys(rule, value, column);
	if (!strcmp(name, "--hist"))
		return take_expression(rule, &rule->count.hist, value, column);
	if (!strcmp(name, "--stats"))
		return take_expression(rule, &rule->count.stats, value, column);
	if (!strcmp(name, "--series"))
		return take_number(rule, name, value, column, 1, METRICS_SERIES_MAX,
				   &rule->series_max);
	if (!strcmp(name, "--size"))
		return take_number(rule, name, value, column, 8192, 256U << 20,
				   &rule->count.table_size);
	if (!strcmp(name, "-e") || !strcmp(name, "--event")) {
		if (!rule->targets_at)
			rule->targets_at = column;
		return add_to(rule, LIST_EVENTS, value, &rule->request.nr_events);
	}
	if (!strcmp(name, "-p") || !strcmp(name, "--pid")) {
		if (!take_number(rule, name, value, column, 1, INT32_MAX, &number))
			return false;
		rule->request.pid = (uint32_t)number;
		return true;
	}
	if (!strcmp(name, "-c") || !strcmp(name, "--comm")) {
		if (strlen(value) > 15) {
			metrics_rule_say(rule, column, "the kernel keeps 15 bytes of a name");
			return false;
		}
		rule->request.comm = value;
		return true;
	}
	free(rule->help);
	rule->help = strdup(value);
	return rule->help != NULL;
}

/* "--by", "-e"; not "-ret > 4" */
static bool looks_like_option(const char *word)
{
	return word[0] == '-' && (word[1] == '-' || (isalpha((unsigned char)word[1]) && !word[2]));
}

static bool is_option(const char *word)
{
	static const char *const names[] = { "--by", "--hist", "--stats", "--series", "--size",
					     "-e", "--event", "-p", "--pid", "-c", "--comm",
					     "--description" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], word))
			return true;
	return false;
}

static bool take_plain(struct metrics_rule *rule, const char *word, unsigned int column)
{
	if (!word_is_condition(word)) {
		if (!rule->targets_at)
			rule->targets_at = column;
		return add_to(rule, LIST_FUNCTIONS, word, &rule->request.nr_functions);
	}
	if (rule->request.condition) {
		metrics_rule_say(rule, column, "a second condition: join them with && or ||");
		return false;
	}
	rule->request.condition = word;
	rule->condition_at = column;
	return true;
}

static bool take_words(struct metrics_rule *rule)
{
	size_t i;

	for (i = 1; i < rule->nr_words; i++) {
		const char *word = rule->words[i];
		unsigned int column = rule->columns[i];

		if (!looks_like_option(word)) {
			if (!take_plain(rule, word, column))
				return false;
		} else if (!is_option(word)) {
			metrics_rule_say(rule, column, "unknown option %s: there are --by, --hist, "
					 "--stats, -e, -p, -c, --series, --size and --description",
					 quoted(word));
			return false;
		} else if (i + 1 == rule->nr_words) {
			metrics_rule_say(rule, column, "%s needs a value", word);
			return false;
		} else if (!take_option(rule, word, rule->words[i + 1], rule->columns[i + 1])) {
			return false;
		} else {
			i++;
		}
	}
	return true;
}

/* A name of the language as a word of its own, and no member. */
static bool has_name(const char *expression, const char *name)
{
	const size_t length = strlen(name);
	const char *at;

	for (at = strstr(expression, name); at; at = strstr(at + 1, name))
		if ((at == expression || (!isalnum((unsigned char)at[-1]) && at[-1] != '_' &&
					  at[-1] != '>' && at[-1] != '.')) &&
		    !isalnum((unsigned char)at[length]) && at[length] != '_')
			return true;
	return false;
}

/* The time of the language that an expression uses; NULL: none. */
static const char *time_of(const char *expression)
{
	static const char *const names[] = { "latency", "oncpu", "runnable", "blocked" };
	size_t i;

	for (i = 0; expression && i < sizeof(names) / sizeof(names[0]); i++)
		if (has_name(expression, names[i]))
			return names[i];
	return NULL;
}

/* What the words say together. */
static bool settle(struct metrics_rule *rule)
{
	const char *value = rule->count.hist ? rule->count.hist : rule->count.stats;

	rule->kind = rule->count.hist ? METRICS_HISTOGRAM :
		     rule->count.stats ? METRICS_SUMMARY : METRICS_COUNTER;
	rule->request.functions = rule->lists[LIST_FUNCTIONS];
	rule->request.events = rule->lists[LIST_EVENTS];
	rule->count.keys = rule->lists[LIST_KEYS];
	rule->request.count = &rule->count;
	rule->request.returns = rule->request.nr_functions != 0;
	if (!rule->targets_at) {
		metrics_rule_say(rule, rule->columns[0], "which function? NAME FUNCTION..., or "
				 "NAME -e EVENT");
		return false;
	}
	if (!value && rule->unit) {
		metrics_rule_say(rule, rule->columns[0], "%s counts calls, which have no unit: add "
				 "--hist or --stats, or leave the unit away", rule->name);
		return false;
	}
	/* An event may have an argument of that name, in any unit. */
	if (rule->request.nr_functions && time_of(value) && rule->unit != METRICS_SECONDS) {
		metrics_rule_say(rule, rule->columns[0],
				 "%s is served in seconds: end the name in "
				 "_seconds",
				 time_of(value));
		return false;
	}
	return (rule->help || make_help(rule)) && make_labels(rule);
}

static struct metrics_rule *new_rule(const char *file, unsigned int line)
{
	struct metrics_rule *rule = calloc(1, sizeof(*rule));

	if (!rule)
		return NULL;
	kcatch_request_init(&rule->request);
	rule->count.size = sizeof(rule->count);
	rule->count.table_size = TABLE_SIZE;
	rule->request.others_only = true;
	rule->request.no_stack = true;
	rule->series_max = METRICS_SERIES;
	rule->line = line;
	rule->file = strdup(file);
	rule->words = calloc(WORDS_MAX, sizeof(*rule->words));
	rule->columns = calloc(WORDS_MAX, sizeof(*rule->columns));
	if (rule->file && rule->words && rule->columns)
		return rule;
	metrics_rule_free(rule);
	return NULL;
}

static bool is_new(const struct metrics_rules *rules, const struct metrics_rule *rule)
{
	size_t i;

	for (i = 0; i < rules->nr; i++) {
		if (strcmp(rules->rules[i]->name, rule->name) != 0)
			continue;
		metrics_rule_say(rule, rule->columns[0], "%s is in %s, line %u, already",
				 rule->name, rules->rules[i]->file, rules->rules[i]->line);
		return false;
	}
	return true;
}

static bool keep(struct metrics_rules *rules, struct metrics_rule *rule)
{
	struct metrics_rule **more;

	if (rules->nr == METRICS_RULES_MAX) {
		metrics_rule_say(rule, 1, "more than %d rules", METRICS_RULES_MAX);
		return false;
	}
	more = realloc(rules->rules, (rules->nr + 1) * sizeof(struct metrics_rule *));
	if (!more)
		return false;
	rules->rules = more;
	more[rules->nr++] = rule;
	return true;
}

static void take_line(struct metrics_rules *rules, const char *file, unsigned int number,
		      const char *line)
{
	struct metrics_rule *rule = new_rule(file, number);
	bool good = rule && split(rule, line);

	if (good && !rule->nr_words) {
		metrics_rule_free(rule);
		return;
	}
	if (good) {
		rule->name = rule->words[0];
		good = join_text(rule) && check_name(rule) && take_words(rule) && settle(rule) &&
		       is_new(rules, rule) && keep(rules, rule);
	}
	if (good)
		return;
	if (!rule)
		say("out of memory");
	rules->errors++;
	metrics_rule_free(rule);
}

/* ---- files ------------------------------------------------------------------------------ */

static void read_lines(struct metrics_rules *rules, const char *path, char *text, size_t length)
{
	unsigned int number = 1;
	char *line, *end;

	if (memchr(text, '\0', length)) {
		say("%s:1:1: the file holds null bytes: it is no text", path);
		rules->errors++;
		return;
	}
	for (line = text; line < text + length; line = end + 1, number++) {
		end = line + strcspn(line, "\n");
		*end = '\0';
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		take_line(rules, path, number, line);
	}
}

static void read_file(struct metrics_rules *rules, const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(FILE_MAX + 2) : NULL;
	size_t length = text ? fread(text, 1, FILE_MAX + 1, file) : 0;
	int error = !file || !text || ferror(file) ? errno : length > FILE_MAX ? EFBIG : 0;

	if (error) {
		say("%s: %s", path, strerror(error));
		rules->errors++;
	} else {
		text[length] = '\0';
		read_lines(rules, path, text, length);
	}
	free(text);
	if (file)
		fclose(file);
}

static int is_rules(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && ends_in(entry->d_name, ".conf");
}

static void read_directory(struct metrics_rules *rules, const char *path)
{
	struct dirent **entries;
	int i, nr = scandir(path, &entries, is_rules, alphasort);
	char name[4096];

	if (nr < 0) {
		say("%s: %s", path, strerror(errno));
		rules->errors++;
		return;
	}
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
		read_file(rules, name);
		free(entries[i]);
	}
	free(entries);
}

bool metrics_rules_read(const char *path, struct metrics_rules *rules)
{
	struct stat status;

	if (!stat(path, &status) && S_ISDIR(status.st_mode))
		read_directory(rules, path);
	else
		read_file(rules, path);
	if (!rules->nr && !rules->errors) {
		say("%s has no rules: see man kcatch-metrics", path);
		rules->errors++;
	}
	return !rules->errors;
}
