// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: SYMBOL_THEN has the names of a record's time. Of more modules than a session keeps
 * names of, only the records of one that has gone have none; other modules have theirs. A module
 * that is there when it is asked for takes no names of the one that was at its place before.
 * Gate: older
 */
#include "guest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define RING 16384
#define KEPT 16		/* modules of a session whose names are kept */
#define FIRST 'c'	/* there are modules kcatch_swap_a and _b */
#define LAST (FIRST + KEPT)
#define OTHER 'x'	/* comes in the place of the first */

static int shell(const char *format, char letter)
{
	char command[512];

	snprintf(command, sizeof(command), format, letter);
	return system(command);
}

/* kcatch_swap_a.ko under other names of the same length. */
static void make_module(char letter)
{
	if (shell("sed s/swap_a/swap_%1$c/g \"$KT_MODULES/kcatch_swap/kcatch_swap_a.ko\" "
		  ">kcatch_swap_%1$c.ko", letter))
		bail("there is a module of the letter %c", letter);
}

static void load(char letter)
{
	if (shell("insmod kcatch_swap_%c.ko", letter))
		bail("the module of the letter %c is loaded", letter);
}

static void unload(char letter)
{
	if (shell("rmmod kcatch_swap_%c", letter))
		bail("the module of the letter %c goes", letter);
}

static const char *function(char letter)
{
	static char name[32];

	snprintf(name, sizeof(name), "swap_%c_inner", letter);
	return name;
}

/* Loads OTHER where the function was. */
static void load_other_at(uint64_t address)
{
	int i;

	for (i = 0; i < 600; i++) {
		load(OTHER);
		if (kernel_symbol(function(OTHER)) == address)
			return;
		unload(OTHER);
		usleep(100000);
	}
	bail("a module is loaded in the place of another");
}

/* Waits for the functions of a module, which may be there. */
static void await(struct session *session, char letter)
{
	const struct add_options options = {
		.kind = KCATCH_TARGET_NAME | KCATCH_TARGET_PENDING, .flags = KCATCH_ADD_NO_STACK,
	};
	char name[64];

	snprintf(name, sizeof(name), "kcatch_swap_%c:%s", letter, function(letter));
	if (session_add(session, name, &options, NULL))
		bail("%s is waited for", name);
}

static struct kcatch_symbol_then ask(struct session *session, uint64_t address, uint64_t time)
{
	struct kcatch_symbol_then then = { .time = time, .symbol.address = address };

	if (ioctl(session->fd, KCATCH_IOC_SYMBOL_THEN, &then))
		bail("SYMBOL_THEN answers");
	return then;
}

/* When a module last came or went. */
static uint64_t changed(struct session *session)
{
	return ask(session, 0, UINT64_MAX).time;
}

static void check_name(struct session *session, uint64_t address, uint64_t time,
		       const char *expected, const char *what)
{
	struct kcatch_symbol_then then = ask(session, address, time);

	if (!check(!strcmp(then.symbol.name, expected), "%s", what))
		note("it is '%s', not '%s'", then.symbol.name, expected);
}

static void many(void)
{
	uint64_t address, bystander = kernel_symbol("kt_b"), then, since;
	struct session session;
	char letter;

	session_open(&session, RING, 4096);
	for (letter = FIRST; letter <= LAST; letter++)
		await(&session, letter);
	session_start(&session);
	for (letter = FIRST; letter <= LAST; letter++)
		load(letter);
	then = changed(&session);
	address = kernel_symbol(function(FIRST));
	check_name(&session, bystander, then, "kt_b",
		   "of 17 modules: a function of one that is not waited for has its name");
	check_name(&session, address, then, function(FIRST),
		   "of 17 modules: and a function of the first");
	unload(FIRST);
	since = changed(&session);
	check(since > then, "of 17 modules: that the first goes is noticed");
	load_other_at(address);
	check_name(&session, address, then, "", "of 17 modules: when it has gone it has none");
	check_name(&session, address, since + 1, function(OTHER),
		   "of 17 modules: and who came in its place has one");
	check_name(&session, bystander, then, "kt_b",
		   "of 17 modules: a function of another one has its name still");
	unload(OTHER);
	for (letter = FIRST + 1; letter <= LAST; letter++)
		unload(letter);
	session_close(&session);
}

static void in_turn(void)
{
	struct session session;
	uint64_t address, then, since;

	session_open(&session, RING, 4096);
	await(&session, FIRST);
	session_start(&session);
	load(FIRST);
	then = changed(&session);
	address = kernel_symbol(function(FIRST));
	unload(FIRST);
	since = changed(&session);
	load_other_at(address);
	await(&session, OTHER);
	check_name(&session, address, then, function(FIRST),
		   "asked for later: records of the one before have its names");
	check_name(&session, address, since + 1, function(OTHER),
		   "asked for later: and what came has its own");
	unload(OTHER);
	session_close(&session);
}

int main(void)
{
	char letter;

	test_module_load();
	for (letter = FIRST; letter <= LAST; letter++)
		make_module(letter);
	make_module(OTHER);
	in_turn();
	many();
	return finish();
}
