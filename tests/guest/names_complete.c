// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: a name arms every function that has it, be it in the kernel or in modules, within
 * ftrace's reach or not, and no other: those that the name finds as a pattern, as many as ftrace
 * lists, and the others of /proc/kallsyms, but for those of which it says that they cannot be
 * traced. One of several names of a function does so too, without a search among all functions.
 * Gate: newest
 */
#include "guest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#define FUNCTIONS "/sys/kernel/tracing/available_filter_functions"
#define NAMES_MAX (1 << 18)
#define PROBES_MAX 512
#define SHARED_MAX 60	/* names of several functions */
#define BEYOND_MAX 40	/* names of which ftrace does not have all functions ... */
#define BEYOND_STEP 4	/* ... one in so many */
#define SINGLE_STEP 1500	/* of the others one in so many */

static char *names[NAMES_MAX];
static size_t nr_names;

/* Code with a name. */
struct code {
	uint64_t address;
	char *name;
};

static struct code codes[NAMES_MAX];
static size_t nr_codes;

struct armed {
	uint32_t nr, skipped;
	int error;
	uint64_t addresses[PROBES_MAX];
};

static int by_name(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static int by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

static void read_names(void)
{
	FILE *file = fopen(FUNCTIONS, "r");
	char line[1024];

	if (!file)
		bail("%s can be read", FUNCTIONS);
	while (nr_names < NAMES_MAX && fgets(line, sizeof(line), file)) {
		line[strcspn(line, " \t\n")] = '\0';
		/* What the linker dropped is listed with such a name. */
		if (*line && strncmp(line, "__ftrace_invalid", 16))
			names[nr_names++] = strdup(line);
	}
	fclose(file);
	qsort(names, nr_names, sizeof(*names), by_name);
}

static int by_code(const void *left, const void *right)
{
	const struct code *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : a->address < b->address ? -1 : a->address > b->address;
}

static void read_codes(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[1024], name[1000], kind;
	unsigned long address;

	if (!file)
		bail("/proc/kallsyms can be read");
	while (nr_codes < NAMES_MAX && fgets(line, sizeof(line), file))
		if (sscanf(line, "%lx %c %999[^ \t\n]", &address, &kind, name) == 3 &&
		    strchr("tTwW", kind) && !strstr(line, "[bpf]") && !strstr(line, "[__builtin__"))
			codes[nr_codes++] = (struct code){ address, strdup(name) };
	fclose(file);
	qsort(codes, nr_codes, sizeof(*codes), by_code);
}

/* How many places have code of that name. */
static uint32_t count_codes(const char *name)
{
	size_t from = 0, to = nr_codes, at;
	uint32_t nr = 0;

	while (from < to) {
		at = from + (to - from) / 2;
		if (strcmp(codes[at].name, name) < 0)
			from = at + 1;
		else
			to = at;
	}
	for (; from < nr_codes && !strcmp(codes[from].name, name); from++)
		nr += !nr || codes[from].address != codes[from - 1].address;
	return nr;
}

static struct armed arm(struct session *session, uint32_t kind, const char *text)
{
	struct kcatch_probe_info infos[PROBES_MAX];
	struct kcatch_target target = { .kind = kind, .name_len = (uint32_t)strlen(text),
					.name = (uintptr_t)text };
	struct kcatch_add add = { .nr_targets = 1, .targets = (uintptr_t)&target };
	struct kcatch_query query = { .buffer = (uintptr_t)infos };
	struct armed armed = { 0 };
	uint32_t i;

	if (ioctl(session->fd, KCATCH_IOC_ADD, &add)) {
		armed.error = errno;
		armed.skipped = target.nr_skipped;
		return armed;
	}
	armed.skipped = target.nr_skipped;
	query.first = add.first_probe;
	query.count = add.nr_probes;
	if (add.nr_probes > PROBES_MAX || ioctl(session->fd, KCATCH_IOC_PROBES, &query))
		bail("the %u probes of %s can be read", add.nr_probes, text);
	armed.nr = query.count;
	for (i = 0; i < armed.nr; i++)
		armed.addresses[i] = infos[i].address;
	qsort(armed.addresses, armed.nr, sizeof(armed.addresses[0]), by_address);
	return armed;
}

/* Has the name all functions that the pattern has? */
static bool has_all(const struct armed *exact, const struct armed *matched)
{
	uint32_t i;

	for (i = 0; i < matched->nr; i++)
		if (!bsearch(&matched->addresses[i], exact->addresses, exact->nr,
			     sizeof(exact->addresses[0]), by_address))
			return false;
	return true;
}

static uint32_t beyond, reached;	/* functions out of ftrace's reach: all, armed ones */

/*
 * Are the functions of a name those of the pattern, as many as ftrace lists, and the others that
 * there are? Return: how many, or -1
 */
static int compare(const char *name, size_t listed)
{
	uint32_t codes = count_codes(name), others;
	struct armed exact, matched;
	struct session session;
	char pattern[1024];
	bool same;

	snprintf(pattern, sizeof(pattern), "[%c]%s", *name, name + 1);
	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	exact = arm(&session, KCATCH_TARGET_NAME, name);
	matched = arm(&session, KCATCH_TARGET_PATTERN, pattern);
	session_close(&session);
	/* A pattern leaves out what hits call, and what must not be hooked. */
	others = codes > listed ? codes - (uint32_t)listed : 0;
	same = has_all(&exact, &matched) && (matched.skipped || matched.nr == listed);
	if (!listed && exact.error)	/* a kprobe reaches none of them either */
		same = same && exact.error == EADDRNOTAVAIL;
	else
		same = same && exact.nr + exact.skipped == listed + others &&
		       (exact.error == matched.error || (!listed && matched.error == ENOENT));
	if (!same)
		note("%s: %u functions (errno %d, %u skipped), ftrace %zu, places of code %u, the "
		     "pattern %u (errno %d, %u skipped)", name, exact.nr, exact.error,
		     exact.skipped, listed, codes, matched.nr, matched.error, matched.skipped);
	beyond += others;
	reached += exact.nr > listed ? exact.nr - (uint32_t)listed : 0;
	return same ? (int)exact.nr : -1;
}

/* How many functions of that name ftrace lists. */
static size_t count_listed(const char *name)
{
	char **at = bsearch(&name, names, nr_names, sizeof(*names), by_name);
	size_t from, nr = 0;

	if (!at)
		return 0;
	for (from = (size_t)(at - names); from && !strcmp(names[from - 1], name); from--)
		;
	for (; from < nr_names && !strcmp(names[from], name); from++)
		nr++;
	return nr;
}

/* Names of several functions, of which ftrace reaches some or none. Return: how many are wrong */
static unsigned int beyond_ftrace(void)
{
	unsigned int wrong = 0, nr = 0, met = 0;
	size_t i, end, listed;
	uint32_t count;

	for (i = 0; i < nr_codes && nr < BEYOND_MAX; i = end) {
		for (end = i + 1; end < nr_codes && !strcmp(codes[end].name, codes[i].name);)
			end++;
		count = end - i > 1 ? count_codes(codes[i].name) : 1;
		listed = count > 1 ? count_listed(codes[i].name) : count;
		/* (__pfx_*: room in front of a function) */
		if (listed >= count || strchr(codes[i].name, '.') ||
		    !strncmp(codes[i].name, "__pfx_", 6) || met++ % BEYOND_STEP)
			continue;
		nr++;
		wrong += compare(codes[i].name, listed) < 0;
	}
	note("%u functions of %u names are out of ftrace's reach, of which %u are armed", beyond,
	     nr, reached);
	return wrong;
}

/* A system call without arguments has a name for each kind of process: ftrace lists one. */
static void several_names(void)
{
	const struct add_options plain = { .flags = KCATCH_ADD_NO_STACK };
	struct session watcher, session;
	uint64_t before, nr;

	session_open(&watcher, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	/* What ftrace asks for the name of each function that it compares. */
	if (session_add(&watcher, "kallsyms_lookup", &plain, NULL))
		bail("names that are asked for are counted (%d)", errno);
	session_start(&watcher);
	session_open(&session, KCATCH_RING_SIZE_MIN, KCATCH_PACKET_SIZE_MIN);
	before = session_sums(&watcher, 0).hits;
	check_equal(arm(&session, KCATCH_TARGET_NAME, KT_SYS "getppid").nr, 1, "it is armed");
	nr = session_sums(&watcher, 0).hits - before;
	check(nr < nr_names / 10, "without the names of all functions (%d)", (int)nr);
	before = session_sums(&watcher, 0).hits;
	check_equal(arm(&session, KCATCH_TARGET_NAME, "no_such_function").error, ENOENT,
		    "no function has the name");
	check(session_sums(&watcher, 0).hits - before > nr_names / 2, "all are asked for theirs then");
	session_close(&session);
	session_close(&watcher);
}

int main(void)
{
	unsigned int shared = 0, several = 0, single = 0, one = 0, suffixed = 0, wrong = 0;
	size_t i, end;

	test_module_load();
	read_names();
	read_codes();
	for (i = 0; i < nr_names; i = end) {
		bool suffix = strchr(names[i], '.');
		int found;

		for (end = i + 1; end < nr_names && !strcmp(names[end], names[i]);)
			end++;
		if (end - i > 1 ? shared++ % 16 || several >= SHARED_MAX : single++ % SINGLE_STEP)
			continue;
		found = compare(names[i], end - i);
		wrong += found < 0;
		several += found > 1;
		one += found == 1;
		suffixed += suffix;
	}
	note("%u names of several functions, %u of one, %u with a suffix", several, one, suffixed);
	check(several > 5 && one > 10, "names of several functions, and of one, were armed");
	check_equal(wrong, 0, "each arms what ftrace finds");
	check_equal(beyond_ftrace(), 0, "and what ftrace does not find");
	check(reached, "functions that a kprobe alone reaches are armed");
	check_equal(compare("kt_twin", 2), 2, "of a module: both of a name");
	check_equal(compare("kt_c", 1), 1, "of a module: the only one");
	several_names();
	return finish();
}
