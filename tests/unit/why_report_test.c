/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Description: kcatch report --format why of made-up events: each sleep with what it waited for and
 * who ended it, an interrupt or a softirq by its name and not the task that it interrupted, chains
 * of wakers that end, and clear words for what the recording lacks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include <kcatch_text.h>
#include "fake_session.h"
#include "report.h"

#define T (FAKE_PID + 1)	/* the thread of the calls */
#define W (FAKE_PID + 2)	/* who wakes it */
#define V (FAKE_PID + 3)	/* the task that is interrupted */
#define MS 1000000ULL

enum { CALL, SWITCH, WAKING, OTHER_CALL, ISSUE, COMPLETE, QUEUE, BIO_COMPLETE, WAKEUP };

static const struct kcatch_probe probes[] = {
	{ .function = "vfs_fsync_range", .mechanism = KCATCH_BY_FTRACE, .address = 0x1000 },
	{ .function = "sched_switch", .module = "sched", .mechanism = KCATCH_BY_TRACEPOINT },
	{ .function = "sched_waking", .module = "sched", .mechanism = KCATCH_BY_TRACEPOINT },
	{ .function = "vfs_read", .mechanism = KCATCH_BY_FTRACE, .address = 0x2000 },
	{ .function = "block_rq_issue", .module = "block", .mechanism = KCATCH_BY_TRACEPOINT },
	{ .function = "block_rq_complete", .module = "block", .mechanism = KCATCH_BY_TRACEPOINT },
	{ .function = "block_bio_queue", .module = "block", .mechanism = KCATCH_BY_TRACEPOINT },
	{ .function = "block_bio_complete", .module = "block", .mechanism = KCATCH_BY_TRACEPOINT },
	{ .function = "sched_wakeup", .module = "sched", .mechanism = KCATCH_BY_TRACEPOINT },
};

/*
 * An event, its times in microseconds; the stack is of words, with ! behind an interrupted one. Of
 * a block device, @to is the request or the bio, of 8 sectors from there on.
 */
struct line {
	int probe;
	uint64_t us;
	uint32_t cpu, tid, to;
	long value; /* a call: how long; a switch: prev_state; others: the context */
	const char *stack;
};

static const struct line *lines;
static size_t nr_lines;

static int prio_of_victim;	/* as its wakings tell */

static const char *name_of(uint32_t tid)
{
	return !tid ? "swapper/0" : tid == T ? "postgres" : tid == W ? "jbd2/sda1-8" : "victim";
}

static void add_frames(struct fake_event *made, const char *words)
{
	static char kept[64][400];
	static size_t next;
	char *copy = kept[next++ % 64], *rest = NULL, *word;

	snprintf(copy, sizeof(kept[0]), "%s", words);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		size_t length = strlen(word);
		bool interrupted = word[length - 1] == '!';

		if (interrupted)
			word[length - 1] = '\0';
		fake_frame(made, word, NULL);
		made->frames[made->event.nr_frames - 1].interrupted = interrupted;
	}
}

static bool make_line(uint64_t number, struct fake_event *made)
{
	struct kcatch_event *event = &made->event;
	const struct line *line = &lines[number];

	if (number >= nr_lines)
		return false;
	event->time_ns = line->us * 1000;
	event->cpu = line->cpu;
	event->pid = event->tid = line->tid;
	event->probe = (uint32_t)line->probe;
	event->call = number + 1;
	event->typed = true;
	snprintf(event->comm, sizeof(event->comm), "%s", name_of(line->tid));
	event->stack = line->stack ? KCATCH_STACK_WHOLE : KCATCH_STACK_ABSENT;
	if (line->stack)
		add_frames(made, line->stack);
	event->is_event = line->probe != CALL && line->probe != OTHER_CALL;
	if (!event->is_event) {
		event->returned = line->value < 0 ? KCATCH_RETURN_PENDING : KCATCH_RETURN_SEEN;
		event->latency_ns = (uint64_t)line->value * 1000;
		made->ret = fake_integer(NULL, 0);
	} else if (line->probe == SWITCH) {
		made->args[0] = fake_integer("prev_state", line->value);
		made->args[1] = fake_integer("next_pid", line->to);
		made->args[2] = fake_string("next_comm", name_of(line->to));
		event->nr_args = 3;
	} else if (line->probe != WAKING && line->probe != WAKEUP) {
		event->context = (enum kcatch_event_context)line->value;
		made->args[0] = fake_string(line->probe >= QUEUE ? "bio" : "rq",
					    line->probe >= QUEUE ? "dm-0 sector=1" :
								   "sda sector=1");
		made->args[0].number = line->to;
		made->args[1] = fake_string("dev", "8:0");
		made->args[2] = fake_integer("sector", line->to);
		made->args[3] = fake_integer("nr_sector", 8);
		made->args[4] = fake_string("rwbs", "WS");
		event->nr_args = 5;
	} else {
		event->context = (enum kcatch_event_context)line->value;
		made->args[0] = fake_integer("pid", line->to);
		made->args[1] = fake_string("comm", name_of(line->to));
		made->args[2] = fake_integer("prio", line->to == V ? prio_of_victim : 120);
		event->nr_args = 3;
	}
	return true;
}

static struct report_options options;

static int set_up(void **state)
{
	(void)state;
	options = (struct report_options){ .format = &report_why, .calls = 1,
					   .view = { .arguments = true } };
	return 0;
}

/* A report of the lines; to be freed. NULL: it was refused. */
static char *report_of(const struct line *made, size_t nr, size_t nr_probes)
{
	const struct fake_source source = { .make = make_line, .probes = probes,
					    .nr_probes = nr_probes };
	struct kcatch_session *session = fake_open(&source);
	struct report report = { .options = &options, .session = session };
	char *text = NULL;
	size_t length;
	int ret;

	lines = made;
	nr_lines = nr;
	report.out = open_memstream(&text, &length);
	assert_int_equal(report_filter_init(&report), 0);
	ret = report_run(&report);
	fclose(report.out);
	free(session);
	if (!ret)
		return text;
	free(text);
	return NULL;
}

#define REPORT(made) report_of(made, sizeof(made) / sizeof((made)[0]), 3)

static void expect(char *text, const char *expected)
{
	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

#define SLEEP "__schedule schedule jbd2_log_wait_commit ext4_sync_file vfs_fsync_range do_fsync"
#define WAKE "try_to_wake_up autoremove_wake_function __wake_up "

/* 100 ms: 10 on the CPU, 60 blocked, 20 ready to run behind another one, 10 on the CPU. */
static const struct line by_task[] = {
	{ SWITCH, 10000, 0, T, 0, 2, SLEEP },
	{ WAKING, 70000, 1, W, T, KCATCH_IN_TASK, WAKE "jbd2_journal_commit_transaction kjournald2" },
	{ SWITCH, 72000, 0, 0, V, 0, "__schedule schedule_idle" },
	{ SWITCH, 90000, 0, V, T, 0, "__schedule preempt_schedule" },
	{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
};

static void a_sleep_that_a_task_ends(void **state)
{
	(void)state;
	expect(REPORT(by_task),
	       "vfs_fsync_range  postgres  pid 3000101  returned 0 after 100.0 ms\n"
	       " 60.0 %  60.00 ms    blocked, once\n"
	       "     60.0 %  60.00 ms    jbd2_log_wait_commit < ext4_sync_file: a commit of the file "
	       "system's journal (jbd2)\n"
	       "                         until woken by jbd2/sda1-8(3000102) in "
	       "jbd2_journal_commit_transaction < kjournald2\n"
	       " 20.0 %  20.00 ms    ready to run, waiting for CPU 0: there ran meanwhile "
	       "victim(3000103) 18.00 ms, nothing 2.00 ms\n"
	       " 20.0 %  20.00 ms    on the CPU (0)\n");
}

static void expect_waker(long context, const char *stack, const char *expected)
{
	struct line made[5];
	char *text;

	memcpy(made, by_task, sizeof(made));
	made[1].tid = V;
	made[1].value = context;
	made[1].stack = stack;
	text = REPORT(made);
	assert_non_null(text);
	if (!strstr(text, expected))
		fail_msg("%s: not in %s", expected, text);
	/* It had the CPU in the meantime, and nothing else. */
	assert_null(strstr(text, "by victim"));
	free(text);
	options.json = options.chain = true;
	text = REPORT(made);
	assert_null(strstr(text, "\"waker\""));
	assert_null(strstr(strstr(text, "\"woken_by\""), "\"comm\":\"victim\",\"function\""));
	free(text);
	options.json = options.chain = false;
}

/* The record of the waking has the task that was running there; it woke nobody. */
static void an_interrupted_task_is_no_waker(void **state)
{
	(void)state;
	expect_waker(KCATCH_IN_SOFTIRQ, WAKE "sock_def_readable tcp_rcv_established "
		     "__napi_poll net_rx_action handle_softirqs do_softirq __local_bh_enable_ip "
		     "vfs_write", "until woken by the softirq NET_RX, on CPU 1 in sock_def_readable");
	/* What an action ends in by a jump stands for it. */
	expect_waker(KCATCH_IN_SOFTIRQ, "try_to_wake_up default_wake_function clone_endio "
		     "blk_update_request blk_complete_reqs handle_softirqs run_ksoftirqd",
		     "until woken by the softirq BLOCK, on CPU 1 in clone_endio");
	expect_waker(KCATCH_IN_SOFTIRQ, "try_to_wake_up wake_up_process process_timeout "
		     "call_timer_fn __run_timers run_timer_softirq __do_softirq.constprop.0 "
		     "irq_exit_rcu sysvec_apic_timer_interrupt asm_sysvec_apic_timer_interrupt "
		     "busy!", "until woken by the softirq TIMER, on CPU 1 in process_timeout");
	expect_waker(KCATCH_IN_HARDIRQ, WAKE "blk_mq_end_request nvme_irq "
		     "__handle_irq_event_percpu handle_irq_event handle_edge_irq "
		     "__common_interrupt common_interrupt asm_common_interrupt net_rx_action! "
		     "__do_softirq", "until woken by an interrupt, handled by nvme_irq, on CPU 1 in "
		     "blk_mq_end_request < nvme_irq\n");
	expect_waker(KCATCH_IN_HARDIRQ, "try_to_wake_up hrtimer_wakeup __hrtimer_run_queues "
		     "hrtimer_interrupt __sysvec_apic_timer_interrupt "
		     "sysvec_apic_timer_interrupt asm_sysvec_apic_timer_interrupt busy!",
		     "until woken by the timer interrupt, on CPU 1 in hrtimer_wakeup");
}

static void preempted_thrice(void **state)
{
	static const struct line made[] = {
		{ SWITCH, 10000, 0, T, V, 0, "__schedule preempt_schedule_irq" },
		{ SWITCH, 30000, 0, V, T, 0, "__schedule" },
		/* As tracefs tells that it was preempted. */
		{ SWITCH, 40000, 0, T, V, 0x100, "__schedule preempt_schedule_irq" },
		{ SWITCH, 50000, 0, V, W, 0, "__schedule" },
		{ SWITCH, 55000, 0, W, T, 0, "__schedule" },
		{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
	};

	(void)state;
	expect(REPORT(made),
	       "vfs_fsync_range  postgres  pid 3000101  returned 0 after 100.0 ms\n"
	       " 35.0 %  35.00 ms    ready to run, waiting for CPU 0: there ran meanwhile "
	       "victim(3000103) 30.00 ms,\n"
	       "                     jbd2/sda1-8(3000102) 5.00 ms\n"
	       " 65.0 %  65.00 ms    on the CPU (0)\n");
}

static void expect_prio(int prio, const char *expected)
{
	static const struct line made[] = {
		{ WAKING, 5000, 0, W, V, KCATCH_IN_TASK, WAKE "x" },
		{ SWITCH, 10000, 0, T, V, 0, "__schedule preempt_schedule_irq" },
		{ SWITCH, 30000, 0, V, T, 0, "__schedule" },
		{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
	};
	char *text;

	prio_of_victim = prio;
	text = REPORT(made);
	assert_non_null(text);
	if (!strstr(text, expected))
		fail_msg("%s: not in %s", expected, text);
	free(text);
}

static void priorities_of_who_ran(void **state)
{
	(void)state;
	expect_prio(49, "there ran meanwhile victim(3000103) (real-time 50) 20.00 ms\n");
	expect_prio(0, "there ran meanwhile victim(3000103) (real-time 99) 20.00 ms\n");
	expect_prio(-1, "there ran meanwhile victim(3000103) (deadline) 20.00 ms\n");
	expect_prio(100, "there ran meanwhile victim(3000103) (nice -20) 20.00 ms\n");
	expect_prio(139, "there ran meanwhile victim(3000103) (nice 19) 20.00 ms\n");
	expect_prio(120, "there ran meanwhile victim(3000103) 20.00 ms\n");
}

/* It could run, and its CPU had nothing to do: then it was not allowed to. */
static void an_idle_cpu(void **state)
{
	static const struct line made[] = {
		{ SWITCH, 10000, 0, T, 0, 0, "__schedule preempt_schedule_irq" },
		{ SWITCH, 30000, 0, 0, T, 0, "__schedule" },
		{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
	}, shortly[] = {
		{ SWITCH, 10000, 0, T, 0, 0, "__schedule preempt_schedule_irq" },
		{ SWITCH, 11000, 0, 0, T, 0, "__schedule" },
		{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
	};
	static const char not_told[] =
		"                     whether its cgroup was throttled (cpu.max) is not recorded\n";
	char *text = REPORT(made);

	(void)state;
	assert_non_null(strstr(text, "there ran meanwhile nothing 20.00 ms\n"));
	assert_non_null(strstr(text, not_told));
	free(text);
	text = REPORT(shortly);
	assert_null(strstr(text, "cpu.max"));
	free(text);
}

/* Two sleeps in one place ended by one waker are one, another is not. */
static const struct line thrice[] = {
	{ SWITCH, 0, 1, W, 0, 2, "__schedule schedule io_schedule submit_bio_wait kjournald2" },
	{ SWITCH, 10000, 0, T, 0, 2, SLEEP },
	{ WAKING, 15000, 1, V, W, KCATCH_IN_HARDIRQ, WAKE "nvme_irq __handle_irq_event_percpu" },
	{ SWITCH, 16000, 1, 0, W, 0, "__schedule" },
	{ WAKING, 20000, 1, W, T, KCATCH_IN_TASK, WAKE "kjournald2" },
	{ SWITCH, 20000, 0, 0, T, 0, "__schedule" },
	{ SWITCH, 30000, 0, T, 0, 2, SLEEP },
	{ WAKING, 35000, 1, W, T, KCATCH_IN_TASK, WAKE "kjournald2" },
	{ SWITCH, 35000, 0, 0, T, 0, "__schedule" },
	{ SWITCH, 40000, 0, T, 0, 2, "__schedule schedule __mutex_lock.constprop.0 ext4_sync_file "
		  "vfs_fsync_range" },
	{ WAKING, 42000, 1, V, T, KCATCH_IN_TASK, "try_to_wake_up wake_up_q mutex_unlock x" },
	{ SWITCH, 42000, 0, 0, T, 0, "__schedule" },
	{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
};

static void equal_sleeps_are_one_and_chains_end(void **state)
{
	(void)state;
	options.chain = true;
	expect(REPORT(thrice),
	       "vfs_fsync_range  postgres  pid 3000101  returned 0 after 100.0 ms\n"
	       " 17.0 %  17.00 ms    blocked, 3 times\n"
	       "     15.0 %  15.00 ms    jbd2_log_wait_commit < ext4_sync_file: a commit of the file "
	       "system's journal (jbd2) (2 times)\n"
	       "                         until woken by jbd2/sda1-8(3000102) in kjournald2\n"
	       "                         who meanwhile was itself 5.00 ms blocked, 1.00 ms ready to "
	       "run, 4.00 ms on the CPU\n"
	       "                           5.00 ms  submit_bio_wait < kjournald2: input or output\n"
	       "                             until woken by an interrupt, handled by nvme_irq, on CPU "
	       "1 in nvme_irq\n"
	       "      2.0 %  2.00 ms     __mutex_lock.constprop.0 < ext4_sync_file: a mutex\n"
	       "                         until woken by victim(3000103), which had it, when it "
	       "released it in x\n"
	       "                         who meanwhile was itself (not known: its switches are not in "
	       "the recording)\n"
	       " 83.0 %  83.00 ms    on the CPU (0)\n");
}

/* The woken thread is in a queue when its waker has lost the CPU. */
static void a_waker_is_followed_until_it_woke(void **state)
{
	static const struct line made[] = {
		{ SWITCH, 10000, 0, T, 0, 2, SLEEP },
		{ SWITCH, 10000, 1, 0, W, 0, "__schedule" },
		{ WAKING, 60000, 1, W, T, KCATCH_IN_TASK, WAKE "x" },
		{ SWITCH, 62000, 1, W, V, 0, "__schedule preempt_schedule" },
		{ WAKEUP, 65000, 0, 0, T, KCATCH_IN_HARDIRQ, "ttwu_do_activate sched_ttwu_pending" },
		{ SWITCH, 66000, 0, 0, T, 0, "__schedule" },
		{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
	};
	char *text;

	(void)state;
	options.chain = true;
	text = report_of(made, sizeof(made) / sizeof(made[0]), 9);
	assert_non_null(text);
	assert_non_null(strstr(text, " 55.0 %  55.00 ms    blocked, once\n"));
	assert_non_null(strstr(text, "who meanwhile was itself 50.00 ms on the CPU\n"));
	free(text);
}

static void expect_release(const char *sleep, const char *waker, const char *expected)
{
	struct line made[5];
	char *text;

	memcpy(made, by_task, sizeof(made));
	made[0].stack = sleep;
	made[1].stack = waker;
	text = REPORT(made);
	assert_non_null(text);
	if (!strstr(text, expected))
		fail_msg("%s: not in %s", expected, text);
	free(text);
}

/* Who unlocks a lock has had it; who wakes in another way need not. */
static void who_had_the_lock(void **state)
{
	static const char mutex[] = "__schedule schedule __mutex_lock.constprop.0 a vfs_fsync_range";
	static const char writer[] = "__schedule rwsem_down_write_slowpath down_write a "
				     "vfs_fsync_range";
	static const char by[] = "until woken by jbd2/sda1-8(3000102)";
	char text[200];

	(void)state;
	snprintf(text, sizeof(text), "%s, which had it, when it released it in b < c\n", by);
	expect_release(mutex, "try_to_wake_up wake_up_q __mutex_unlock_slowpath.constprop.0 b c",
		       text);
	/* up_write() and up_read() may end in rwsem_wake() by a jump. */
	expect_release(writer, "try_to_wake_up wake_up_q rwsem_wake.isra.0 b c", text);
	snprintf(text, sizeof(text), "%s, which had it to write, when it released it in b\n", by);
	expect_release(writer, "try_to_wake_up wake_up_q rwsem_wake.isra.0 up_write b", text);
	snprintf(text, sizeof(text), "%s, the last that had it to read, when it released it in b\n",
		 by);
	expect_release(writer, "try_to_wake_up wake_up_q rwsem_wake up_read b", text);
	snprintf(text, sizeof(text), "%s, which was taking it as well, in down_read\n", by);
	expect_release(writer, "try_to_wake_up wake_up_q rwsem_down_read_slowpath down_read", text);
	/* A lock that is not of the kind, further out or not, has not been waited for. */
	snprintf(text, sizeof(text), "%s in up_write < b\n", by);
	expect_release(mutex, "try_to_wake_up wake_up_q rwsem_wake up_write b", text);
	snprintf(text, sizeof(text), "%s in signal_wake_up_state < mutex_unlock < b\n", by);
	expect_release(mutex, "try_to_wake_up signal_wake_up_state mutex_unlock b", text);
	/* Longer than a line. */
	snprintf(text, sizeof(text),
		 "%s, which had a lock on it, when it released that\n"
		 "                         in locks_remove_posix\n",
		 by);
	expect_release("__schedule schedule fcntl_setlk vfs_fsync_range",
		       WAKE "__locks_wake_up_blocks locks_unlink_lock_ctx posix_lock_inode "
		       "locks_remove_posix", text);
	/* It has stopped waiting for the lock, for which others had queued behind it. */
	snprintf(text, sizeof(text), "%s in __locks_wake_up_blocks < locks_delete_block\n", by);
	expect_release("__schedule schedule fcntl_setlk vfs_fsync_range",
		       WAKE "__locks_wake_up_blocks locks_delete_block", text);
}

#define DONE "blk_update_request blk_mq_end_request blk_complete_reqs handle_softirqs run_ksoftirqd"

/* One on a device on top of another one, which had waited there; then they end in one softirq. */
static const struct line blocks[] = {
	{ ISSUE, 5000, 1, V, 500, KCATCH_IN_TASK, "blk_mq_start_request" },
	{ SWITCH, 10000, 0, T, 0, 2, "__schedule schedule io_schedule vfs_fsync_range" },
	{ QUEUE, 20000, 1, V, 700, KCATCH_IN_TASK, "submit_bio" },
	{ ISSUE, 60000, 1, V, 600, KCATCH_IN_TASK, "blk_mq_start_request" },
	{ COMPLETE, 69000, 1, V, 600, KCATCH_IN_SOFTIRQ, DONE },
	{ BIO_COMPLETE, 69500, 1, V, 700, KCATCH_IN_SOFTIRQ, "bio_endio clone_endio " DONE },
	/* An interrupt comes meanwhile, and another CPU is as fast. */
	{ COMPLETE, 69600, 1, V, 500, KCATCH_IN_HARDIRQ, "blk_update_request nvme_irq" },
	{ COMPLETE, 69700, 0, V, 500, KCATCH_IN_SOFTIRQ, DONE },
	{ WAKING, 70000, 1, V, T, KCATCH_IN_SOFTIRQ, WAKE "end_buffer clone_endio " DONE },
	{ SWITCH, 72000, 0, 0, T, 0, "__schedule schedule_idle" },
	{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
};

/* A report of these, with one line changed; to be freed. */
static char *report_of_blocks(size_t at, struct line changed)
{
	struct line made[sizeof(blocks) / sizeof(blocks[0])];

	memcpy(made, blocks, sizeof(made));
	made[at] = changed;
	return report_of(made, sizeof(made) / sizeof(made[0]), 8);
}

static void the_request_whose_end_it_was(void **state)
{
	char *text = report_of_blocks(0, blocks[0]);

	(void)state;
	assert_non_null(strstr(text,
			       "\n                         by the end of a write (WS) of 4 KiB "
			       "at sector 700 of dm-0, queued 49.50 ms before\n"
			       "                         and below it of a write (WS) of 4 KiB at "
			       "sector 600 of sda, issued 9.00 ms before\n"));
	free(text);
	/* Without a bio. */
	text = report_of_blocks(5, blocks[2]);
	assert_non_null(strstr(text, "by the end of a write (WS) of 4 KiB at sector 600 of sda, "
				     "issued 9.00 ms before\n"));
	free(text);
	text = report_of_blocks(3, blocks[2]);
	assert_non_null(strstr(text, "of 4 KiB at sector 600 of sda; no record tells when it was "
				     "issued\n"));
	free(text);
	options.json = true;
	text = report_of_blocks(0, blocks[0]);
	assert_non_null(strstr(text, "\"bio\":{\"device\":\"dm-0\",\"sector\":700,\"bytes\":4096,"
				     "\"operation\":\"WS\",\"latency_ns\":49500000}"));
	assert_non_null(strstr(text,
			       "\"request\":{\"device\":\"sda\",\"sector\":600,"
			       "\"bytes\":4096,\"operation\":\"WS\",\"latency_ns\":9000000}"));
	free(text);
}

/* Another end is the last one there; or the waking was in something else. */
static void a_request_that_is_not_proven(void **state)
{
	struct line line = blocks[6];
	char *text;

	(void)state;
	line.value = KCATCH_IN_SOFTIRQ;
	text = report_of_blocks(6, line);
	assert_null(strstr(text, "by the end of"));
	free(text);
	line = blocks[8];
	line.stack = WAKE "process_timeout run_timer_softirq handle_softirqs run_ksoftirqd";
	text = report_of_blocks(8, line);
	assert_null(strstr(text, "by the end of"));
	free(text);
	line = blocks[4];
	line.stack = NULL;
	text = report_of_blocks(4, line);
	assert_null(strstr(text, "and below it of"));
	free(text);
	line = blocks[8];
	line.value = KCATCH_IN_TASK;
	text = report_of_blocks(8, line);
	assert_null(strstr(text, "by the end of"));
	free(text);
}

/* Each of many threads sleeps a little less than the one that it wakes. */
static void a_long_chain_is_cut(void **state)
{
	struct line made[3 * 30 + 1];
	uint32_t i, nr = 0;
	char *text, *at;

	(void)state;
	for (i = 0; i < 30; i++)
		made[nr++] = (struct line){ SWITCH, 1000 + i, i, T + i, 0, 2, SLEEP };
	for (i = 30; i-- > 0; ) {
		made[nr++] = (struct line){ WAKING, 5000 - 2 * i, i + 1, T + i + 1, T + i,
					    KCATCH_IN_TASK, WAKE "x" };
		made[nr++] = (struct line){ SWITCH, 5001 - 2 * i, i, 0, T + i, 0, "__schedule" };
	}
	made[nr++] = (struct line){ CALL, 0, 0, T, 0, 10000, "do_fsync" };
	options.chain = true;
	text = report_of(made, nr, 3);
	assert_non_null(text);
	for (i = 0, at = text; (at = strstr(at, "who meanwhile was itself")) != NULL; at++)
		i++;
	assert_int_equal(i, 16);
	assert_non_null(strstr(text, "who meanwhile was itself waiting: the chain goes on\n"));
	free(text);
}

static void what_is_missing_is_said(void **state)
{
	static const struct line made[] = {
		{ SWITCH, 10000, 0, T, 0, 2, SLEEP },
		{ SWITCH, 90000, 0, 0, T, 0, "__schedule" },
		{ CALL, 0, 0, T, 0, 100000, "do_fsync" },
	}, stackless[] = {
		{ SWITCH, 10000, 0, T, 0, 2, NULL },
		{ WAKING, 90000, 1, V, T, KCATCH_IN_TASK, NULL },
		{ SWITCH, 90000, 0, 0, T, 0, NULL },
		{ CALL, 0, 0, T, 0, 100000, NULL },
	}, pending[] = {
		{ CALL, 0, 0, T, 0, -1, "do_fsync" },
	};
	char *text = REPORT(made);

	(void)state;
	assert_non_null(strstr(text, " 80.0 %  80.00 ms    not known: blocked, then ready to run: "
			       "what woke it, and when, is not in the recording\n"));
	free(text);
	text = REPORT(stackless);
	assert_non_null(strstr(text, "(where is not known: recorded without --stack)"));
	assert_non_null(strstr(text, "woken on CPU 1 while victim(3000103) ran there, by it or by an "
			       "interrupt (recorded without --stack)"));
	free(text);
	assert_null(REPORT(pending));
	assert_non_null(strstr(kcatch_error_text(), "1 call had not returned"));
	/* Without wakings, and without anything of the scheduler. */
	assert_null(report_of(by_task, 5, 2));
	assert_non_null(strstr(kcatch_error_text(), "has no sched:sched_waking; record with kcatch "
			       "record -f vfs_fsync_range -e sched:sched_switch -e sched:sched_waking "
			       "--stack -o DIR"));
	assert_null(report_of(by_task, 5, 1));
	assert_non_null(strstr(kcatch_error_text(), "no sched:sched_switch"));
}

/* The slowest first; the filter chooses calls, and leaves the scheduler's events in. */
static void the_slowest_calls(void **state)
{
	static const struct line made[] = {
		{ CALL, 1000, 0, T, 0, 5000, "a" },
		{ CALL, 10000, 0, T, 0, 30000, "a" },
		{ SWITCH, 60000, 0, T, 0, 2, "__schedule schedule vfs_read" },
		{ WAKING, 70000, 1, W, T, KCATCH_IN_TASK, WAKE "x" },
		{ SWITCH, 70000, 0, 0, T, 0, "__schedule" },
		{ 3, 50000, 0, T, 0, 25000, "a" },
		{ CALL, 80000, 0, T, 0, 7000, "a" },
	};
	const char *patterns[] = { "vfs_read" };
	char *text;

	(void)state;
	options.calls = 2;
	expect(report_of(made, 7, 4),
	       "vfs_fsync_range  postgres  pid 3000101  returned 0 after 30.00 ms\n"
	       "100.0 %  30.00 ms    on the CPU (0), without being switched out\n"
	       "\n"
	       "vfs_read  postgres  pid 3000101  returned 0 after 25.00 ms\n"
	       " 40.0 %  10.00 ms    blocked, once\n"
	       "     40.0 %  10.00 ms    vfs_read\n"
	       "                         until woken by jbd2/sda1-8(3000102) in x\n"
	       " 60.0 %  15.00 ms    on the CPU (0)\n");
	options.filter.patterns = patterns;
	options.filter.nr_patterns = 1;
	text = report_of(made, 7, 4);
	assert_int_equal(strncmp(text, "vfs_read ", 9), 0);
	assert_non_null(strstr(text, "until woken by jbd2/sda1-8"));
	free(text);
}

static int64_t number(struct json_object *object, const char *name)
{
	struct json_object *value;

	assert_true(json_object_object_get_ex(object, name, &value));
	return json_object_get_int64(value);
}

static void json_has_all_of_it(void **state)
{
	struct json_object *object, *sleeps, *sleep, *call, *waker;
	char *text;

	(void)state;
	options.json = options.chain = true;
	text = REPORT(thrice);
	object = json_tokener_parse(text);
	assert_non_null(object);
	assert_int_equal(number(object, "latency_ns"), 100 * MS);
	assert_int_equal(number(object, "blocked_ns"), 17 * MS);
	assert_int_equal(number(object, "runnable_ns"), 0);
	assert_int_equal(number(object, "oncpu_ns"), 83 * MS);
	assert_int_equal(number(object, "unknown_ns"), 0);
	assert_int_equal(number(object, "switches"), 3);
	assert_true(json_object_object_get_ex(object, "call", &call));
	assert_int_equal(number(call, "tid"), T);
	assert_true(json_object_object_get_ex(object, "sleeps", &sleeps));
	assert_int_equal(json_object_array_length(sleeps), 2);
	sleep = json_object_array_get_idx(sleeps, 0);
	assert_int_equal(number(sleep, "times"), 2);
	assert_true(json_object_object_get_ex(sleep, "waker", &waker));
	assert_int_equal(number(waker, "tid"), W);
	assert_int_equal(number(waker, "blocked_ns"), 5 * MS);
	json_object_put(object);
	free(text);
}

/* ---- the picture -------------------------------------------------------------------- */

/* The slow calls in the data of a page; to be put. */
static struct json_object *calls_of_page(char *page, struct json_object **object)
{
	struct json_object *calls;

	assert_non_null(page);
	assert_non_null(strstr(page, "var data = {"));
	*object = json_tokener_parse(strstr(page, "var data = {") + strlen("var data = "));
	assert_non_null(*object);
	free(page);
	assert_true(json_object_object_get_ex(*object, "calls", &calls));
	return calls;
}

static void set_page(void)
{
	options.format = &report_html;
	options.rows = 10;
	options.directory = options.title = "x";
}

/* A row as text: its name, and from, to and state of each part, milliseconds. */
static void expect_row(struct json_object *call, size_t number, const char *expected)
{
	struct json_object *rows, *row, *name, *parts, *part;
	char text[400];
	size_t i;
	int at;

	assert_true(json_object_object_get_ex(call, "rows", &rows));
	row = json_object_array_get_idx(rows, number);
	assert_non_null(row);
	assert_true(json_object_object_get_ex(row, "name", &name));
	assert_true(json_object_object_get_ex(row, "parts", &parts));
	at = snprintf(text, sizeof(text), "%s:", json_object_get_string(name));
	for (i = 0; i < json_object_array_length(parts); i++) {
		part = json_object_array_get_idx(parts, i);
		at += snprintf(
			text + at, sizeof(text) - (size_t)at, " %g-%g %s",
			(double)json_object_get_int64(json_object_array_get_idx(part, 0)) / 1e6,
			(double)json_object_get_int64(json_object_array_get_idx(part, 1)) / 1e6,
			(const char *const[]){ "runs", "ready", "blocked", "unknown",
					       "together" }[json_object_get_int(
				json_object_array_get_idx(part, 2))]);
	}
	assert_string_equal(text, expected);
}

/* The text of a part. */
static const char *text_of(struct json_object *call, size_t row, size_t part)
{
	struct json_object *rows, *parts, *texts;

	assert_true(json_object_object_get_ex(call, "rows", &rows));
	assert_true(
		json_object_object_get_ex(json_object_array_get_idx(rows, row), "parts", &parts));
	assert_true(json_object_object_get_ex(call, "texts", &texts));
	return json_object_get_string(json_object_array_get_idx(
		texts, (size_t)json_object_get_int(json_object_array_get_idx(
			       json_object_array_get_idx(parts, part), 4))));
}

static void a_picture_of_a_chain(void **state)
{
	struct json_object *object, *call, *arrows;

	(void)state;
	set_page();
	call = json_object_array_get_idx(calls_of_page(REPORT(thrice), &object), 0);
	assert_non_null(call);
	assert_int_equal(number(call, "ns"), 100 * MS);
	expect_row(call, 0,
		   "postgres(3000101): 0-10 runs 10-20 blocked 20-30 runs 30-35 blocked "
		   "35-40 runs 40-42 blocked 42-100 runs");
	/* Of each of its sleeps, not of the longest alone. */
	expect_row(call, 1,
		   "jbd2/sda1-8(3000102): 10-15 blocked 15-16 ready 16-20 runs 30-35 runs");
	expect_row(call, 2, "an interrupt, handled by nvme_irq:");
	expect_row(call, 3, "victim(3000103): 40-42 unknown");
	assert_true(json_object_object_get_ex(call, "arrows", &arrows));
	assert_string_equal(json_object_to_json_string_ext(arrows, JSON_C_TO_STRING_PLAIN),
			    "[[20000000,1,0],[15000000,2,1],[35000000,1,0],[42000000,3,0]]");
	assert_string_equal(text_of(call, 0, 1),
			    "jbd2_log_wait_commit < ext4_sync_file: a commit of the file system's "
			    "journal (jbd2)\nuntil woken by jbd2/sda1-8(3000102) in kjournald2");
	assert_string_equal(text_of(call, 0, 0), "on CPU 0");
	assert_string_equal(text_of(call, 3, 0),
			    "not known: its switches are not in the recording");
	json_object_put(object);
	call = json_object_array_get_idx(calls_of_page(REPORT(by_task), &object), 0);
	expect_row(call, 0, "postgres(3000101): 0-10 runs 10-70 blocked 70-90 ready 90-100 runs");
	assert_string_equal(text_of(call, 0, 2),
			    "after it was woken: ready to run, waiting for CPU 0: there ran "
			    "meanwhile victim(3000103) 18.00 ms, nothing 2.00 ms");
	json_object_put(object);
}

/* As many as would fill a page by themselves. */
static void narrow_times_are_drawn_together(void **state)
{
	enum { SLEEPS = 3000 };
	struct line *made = calloc(3 * SLEEPS + 1, sizeof(*made));
	struct json_object *object, *call, *rows, *parts;
	size_t nr = 0, i, together = 0;
	int64_t blocked = 0, at = 0;

	(void)state;
	for (i = 0; i < SLEEPS; i++) {
		/* It sleeps for 10 of each 30 us, but for one sleep of 20 ms. */
		uint64_t us = 1000 + 30 * i + (i > 1500 ? 20000 : 0);
		uint64_t end = us + (i == 1500 ? 20000 : 10);

		made[nr++] = (struct line){ SWITCH, us, 0, T, 0, 2, SLEEP };
		made[nr++] = (struct line){ WAKING, end, 1, V, T, KCATCH_IN_TASK, WAKE "x" };
		made[nr++] = (struct line){ SWITCH, end, 0, 0, T, 0, "__schedule" };
	}
	made[nr++] = (struct line){ CALL, 0, 0, T, 0, 120000, "do_fsync" };
	set_page();
	call = json_object_array_get_idx(calls_of_page(report_of(made, nr, 3), &object), 0);
	assert_true(json_object_object_get_ex(call, "rows", &rows));
	assert_true(json_object_object_get_ex(json_object_array_get_idx(rows, 0), "parts", &parts));
	for (i = 0; i < json_object_array_length(parts); i++) {
		struct json_object *part = json_object_array_get_idx(parts, i);
		int64_t from = json_object_get_int64(json_object_array_get_idx(part, 0));
		int64_t to = json_object_get_int64(json_object_array_get_idx(part, 1));
		int part_state = json_object_get_int(json_object_array_get_idx(part, 2));

		assert_int_equal(from, at);
		at = to;
		if (part_state == 4) {
			together += (size_t)json_object_get_int64(
				json_object_array_get_idx(part, 5));
			blocked += json_object_get_int64(
				json_object_array_get_idx(json_object_array_get_idx(part, 6), 2));
		} else if (part_state == 2) {
			blocked += to - from;
		}
	}
	assert_int_equal(at, 120 * MS);
	assert_int_equal(blocked, 20 * MS + (SLEEPS - 1) * 10000);
	assert_in_range(json_object_array_length(parts), 100, 2000);
	assert_in_range(together, 2 * SLEEPS - 20, 2 * SLEEPS + 1);
	json_object_put(object);
	free(made);
}

static void no_picture_without_what_it_takes(void **state)
{
	static const struct line pending[] = {
		{ SWITCH, 10000, 0, T, 0, 2, SLEEP },
		{ CALL, 0, 0, T, 0, -1, "do_fsync" },
	};
	struct json_object *object;

	(void)state;
	set_page();
	assert_int_equal(json_object_array_length(calls_of_page(report_of(by_task, 5, 2), &object)),
			 0);
	json_object_put(object);
	assert_int_equal(json_object_array_length(calls_of_page(REPORT(pending), &object)), 0);
	json_object_put(object);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sleep_that_a_task_ends), TEST(an_interrupted_task_is_no_waker),
		TEST(preempted_thrice), TEST(priorities_of_who_ran), TEST(an_idle_cpu),
		TEST(equal_sleeps_are_one_and_chains_end),
		TEST(a_waker_is_followed_until_it_woke), TEST(who_had_the_lock),
		TEST(the_request_whose_end_it_was), TEST(a_request_that_is_not_proven),
		TEST(a_long_chain_is_cut), TEST(what_is_missing_is_said), TEST(the_slowest_calls),
		TEST(json_has_all_of_it), TEST(a_picture_of_a_chain),
		TEST(narrow_times_are_drawn_together), TEST(no_picture_without_what_it_takes),
	};

	return cmocka_run_group_tests_name("why a call was slow", tests, NULL, NULL);
}
