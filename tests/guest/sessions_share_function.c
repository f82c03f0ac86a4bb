// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: sessions on one function do not disturb each other: each gets its
 * own N, and one that stops or closes takes nothing from the others.
 * Gate: older
 */
#include "guest.h"

#include <unistd.h>

#define MANY 64

static struct session sessions[MANY];

static void begin(struct session *session, uint64_t budget)
{
	const struct add_options options = { .budget = budget };

	session_open(session, KCATCH_RING_SIZE_MIN * 8, KCATCH_PACKET_SIZE_MIN);
	if (session_add(session, "kt_c", &options, NULL))
		bail("kt_c is armed");
	session_map(session);
	session_start(session);
}

static void own_budgets(void)
{
	int i;

	begin(&sessions[0], 3);
	begin(&sessions[1], 7);
	for (i = 0; i < 10; i++)
		order("process chain");
	check_equal(session_sums(&sessions[0], 0).recorded, 3, "two sessions: the first gets its 3");
	check_equal(session_sums(&sessions[1], 0).recorded, 7, "two sessions: the second gets its 7");
	check_equal(session_read(&sessions[0], false, NULL, NULL), 3, "3 records to read");
	check_equal(session_read(&sessions[1], false, NULL, NULL), 7, "7 records to read");
	session_close(&sessions[0]);
	session_close(&sessions[1]);
}

static void one_leaves(void)
{
	begin(&sessions[0], 0);
	begin(&sessions[1], 0);
	order("process chain");
	session_close(&sessions[0]);
	order("process chain");
	check_equal(session_sums(&sessions[1], 0).recorded, 2, "one session closed: the other goes on");
	session_stop(&sessions[1]);
	order("process chain");
	check_equal(session_sums(&sessions[1], 0).recorded, 2, "nothing is caught while stopped");
	session_start(&sessions[1]);
	order("process chain");
	check_equal(session_sums(&sessions[1], 0).recorded, 3, "started again, it catches again");
	session_close(&sessions[1]);
}

static void many(void)
{
	int i, wrong = 0;

	for (i = 0; i < MANY; i++)
		begin(&sessions[i], i + 1);
	for (i = 0; i < MANY; i++)
		order("process chain");
	for (i = 0; i < MANY; i++)
		wrong += session_sums(&sessions[i], 0).recorded != (uint64_t)i + 1;
	check_equal(wrong, 0, "%d sessions: each has its own N", MANY);
	for (i = 0; i < MANY; i++)
		wrong += session_read(&sessions[i], false, NULL, NULL) != (uint64_t)i + 1;
	check_equal(wrong, 0, "%d sessions: each has its N records", MANY);
	for (i = 0; i < MANY; i++)
		session_close(&sessions[i]);
}

int main(void)
{
	test_module_load();
	own_budgets();
	one_leaves();
	many();
	return finish();
}
