/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_text.c - where the time of a call went, as text */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value_text.h"
#include "why.h"

#define COLUMNS      120U
#define BEHIND       25U /* columns before a sleep */
#define TIMES        12U /* of " (1000 times)" behind it */
#define FRAMES       6U  /* functions of a sleep's stack that are shown, as far as they fit */
#define WAKER_FRAMES 3U  /* of the waker's */
#define SLEEPS       12U /* of a call that are shown, the others are summed */
#define SHARES       5U  /* threads that had the CPU meanwhile */
#define IDLE_NS      5000000U /* an idle CPU begins to run a thread long before */

static void print_bytes(FILE *out, const char *text)
{
	value_text_escaped(out, text, strlen(text), false);
}

static const char *time_text(uint64_t ns, char *room)
{
	return value_text_latency(ns, room, 24);
}

static void print_part(FILE *out, int indent, uint64_t ns, uint64_t of_ns)
{
	char room[24];

	fprintf(out, "%*s%5.1f %%  %-10s  ", indent, "",
		of_ns ? 100.0 * (double)ns / (double)of_ns : 0.0, time_text(ns, room));
}

static void print_thread(FILE *out, const struct why *why, uint32_t tid, uint32_t name)
{
	print_bytes(out, thread_states_text(&why->states, name));
	fprintf(out, "(%" PRIu32 ")", tid);
}

static size_t columns_left(size_t taken)
{
	return taken < COLUMNS ? COLUMNS - taken : 0;
}

static size_t frame_columns(const struct recorded_frame *frame)
{
	return strlen(frame->symbol ? frame->symbol : "[unknown]") +
	       (frame->module ? strlen(frame->module) + strlen(" []") : 0);
}

/* "a < b < c", and "..." where there are more. @columns: that it has, but for the first one.
 * Return: columns that are taken */
static size_t print_frames(FILE *out, const struct recorded_stack *stack, uint32_t first,
			 uint32_t end, uint32_t most, size_t columns)
{
	size_t used = 0, more;
	uint32_t i;

	for (i = first; i < end && i < first + most; i++) {
		const struct recorded_frame *frame = &stack->frames[i];

		more = frame_columns(frame) + (i > first ? strlen(" < ") : 0);
		if (i > first && used + more + (i + 1 < end ? strlen(" < ...") : 0) > columns)
			break;
		used += more;
		if (i > first)
			fputs(" < ", out);
		print_bytes(out, frame->symbol ? frame->symbol : "[unknown]");
		if (frame->module) {
			fputs(" [", out);
			print_bytes(out, frame->module);
			fputc(']', out);
		}
	}
	if (i < end)
		fputs(" < ...", out);
	return used + (i < end ? strlen(" < ...") : 0);
}

/* Where a system call enters the kernel, and what threads begin in, says nothing. */
static uint32_t outermost(const struct recorded_stack *stack, uint32_t first, uint32_t end)
{
	static const char *const entries[] = {
		"do_syscall_64", "x64_sys_call",  "entry_SYSCALL_64_after_hwframe",
		"kthread",       "ret_from_fork", "ret_from_fork_asm",
	};
	uint32_t i;
	size_t n;

	for (i = first + 1; i < end; i++)
		for (n = 0; n < sizeof(entries) / sizeof(entries[0]); n++)
			if (stack->frames[i].symbol && !strcmp(stack->frames[i].symbol, entries[n]))
				return i;
	return end;
}

/* What it waited for is behind that, or in a line of its own. @behind: columns before it */
static void print_where(FILE *out, const struct why_sleep *sleep, size_t behind)
{
	static const char *const locks[] = {
		[KCATCH_LOCK_MUTEX] = "a mutex",
		[KCATCH_LOCK_RWSEM_READ] = "an rwsem (to read)",
		[KCATCH_LOCK_RWSEM_WRITE] = "an rwsem (to write)",
	};

	const char *what = sleep->wait.lock ? locks[sleep->wait.lock] : sleep->wait.reason;
	size_t taken;

	if (!sleep->stack) {
		fputs("(where is not known: recorded without --stack)", out);
		return;
	}
	taken = behind + print_frames(out, sleep->stack, sleep->first,
				      outermost(sleep->stack, sleep->first, sleep->end), FRAMES,
				      columns_left(behind + TIMES));
	if (!what)
		return;
	if (taken + strlen(": ") + strlen(what) + TIMES <= COLUMNS)
		fprintf(out, ": %s", what);
	else
		fprintf(out, "\n%*sfor %s", (int)behind, "", what);
}

static void print_interrupt(FILE *out, const struct waker *waker)
{
	if (waker->context == KCATCH_IN_SOFTIRQ && waker->softirq)
		fprintf(out, "the softirq %s", waker->softirq);
	else if (waker->context == KCATCH_IN_SOFTIRQ)
		fputs("a softirq", out);
	else if (waker->context == KCATCH_IN_NMI)
		fputs("an NMI", out);
	else if (waker->kind)
		fputs(waker->kind, out);
	else
		fputs("an interrupt", out);
	if (waker->handler && waker->context == KCATCH_IN_HARDIRQ) {
		fputs(", handled by ", out);
		print_bytes(out, waker->handler);
	}
}

void why_text_waker(FILE *out, const struct why *why, const struct why_sleep *sleep)
{
	const struct sched_record *waking = sleep->longest.waking;

	if (sleep->waker.context != KCATCH_IN_TASK)
		print_interrupt(out, &sleep->waker);
	else if (waking->from)
		print_thread(out, why, waking->from, waking->from_name);
	else
		fprintf(out, "the idle task of CPU %" PRIu32, waking->cpu);
}

/* What its stack says of the lock. Others may have had it earlier in the sleep: nothing tells. */
static const char *release_text(const struct waker *waker)
{
	static const char *const did[] = {
		[WAKER_LOCK_RELEASED] = ", which had it, when it released it",
		[WAKER_LOCK_WRITTEN] = ", which had it to write, when it released it",
		[WAKER_LOCK_READ] = ", the last that had it to read, when it released it",
		[WAKER_LOCK_DOWNGRADED] = ", which had it to write, when it went over to reading",
		[WAKER_LOCK_TAKING] = ", which was taking it as well,",
	};

	if (waker->lock == WAKER_LOCK_NONE)
		return "";
	return waker->file_lock ? ", which had a lock on it, when it released that" :
				  did[waker->lock];
}

static const char *operation_text(const struct block_record *record)
{
	const char *operation = record->operation;

	if (!strncmp(operation, "FF", 2) || (*operation == 'F' && !record->sectors))
		return "a flush";
	if (strchr(operation, 'W'))
		return "a write";
	if (strchr(operation, 'D'))
		return "a discard";
	return strchr(operation, 'R') ? "a read" : "a request";
}

/* "a write (WS) of 4 KiB at sector 8 of dm-0, queued 60.3 ms before" */
static void print_end(FILE *out, const struct block_end *end, const char *begun)
{
	const struct block_record *done = end->done;
	char room[24];

	fputs(operation_text(done), out);
	if (*done->operation) {
		fputs(" (", out);
		print_bytes(out, done->operation);
		fputc(')', out);
	}
	if (done->sectors)
		fprintf(out, " of %" PRIu64 "%s at sector %" PRIu64,
			done->sectors % 2 ? done->sectors * 512 : done->sectors / 2,
			done->sectors % 2 ? " bytes" : " KiB", done->sector);
	fputs(" of ", out);
	print_bytes(out, done->disk);
	if (end->begun)
		fprintf(out, ", %s %s before", begun,
			time_text(done->time_ns - end->begun->time_ns, room));
	else
		fprintf(out, "; no record tells when it was %s", begun);
}

/* On a line of its own each: a bio's, and the request of the device below it. */
static void print_requests(FILE *out, const struct why_sleep *sleep, size_t behind)
{
	const char *before = sleep->times > 1 ? "longest: by the end of " : "by the end of ";

	if (sleep->bio.done) {
		fprintf(out, "\n%*s%s", (int)behind, "", before);
		print_end(out, &sleep->bio, "queued");
		before = "and below it of ";
	}
	if (sleep->request.done) {
		fprintf(out, "\n%*s%s", (int)behind, "", before);
		print_end(out, &sleep->request, "issued");
	}
}

/* Return: its columns */
static size_t print_who_woke(FILE *out, const struct why *why, const struct why_sleep *sleep)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	FILE *to = memory ? memory : out;

	fputs("until woken by ", to);
	why_text_waker(to, why, sleep);
	if (sleep->waker.context != KCATCH_IN_TASK)
		fprintf(to, ", on CPU %" PRIu32, sleep->longest.waking->cpu);
	fputs(release_text(&sleep->waker), to);
	if (memory && !fclose(memory))
		fwrite(text, 1, length, out);
	free(text);
	return length;
}

/* @behind: as of print_where() */
static void print_waker(FILE *out, const struct why *why, const struct why_sleep *sleep,
			size_t behind)
{
	const struct sched_record *waking = sleep->longest.waking;
	const struct waker *waker = &sleep->waker;
	size_t taken;
	uint32_t first;

	if (waking->kind != SCHED_RECORD_WAKING) {
		fputs("woken; by whom is not known: sched:sched_waking is not in the recording",
		      out);
		return;
	}
	if (!sleep->waker_stack) {
		fprintf(out, "woken on CPU %" PRIu32 " while ", waking->cpu);
		if (waking->from)
			print_thread(out, why, waking->from, waking->from_name);
		else
			fputs("no thread", out);
		fputs(" ran there, by it or by an interrupt (recorded without --stack)", out);
		return;
	}
	taken = behind + print_who_woke(out, why, sleep);
	first = waker->lock && waker->user < waker->end ? waker->user : waker->first;
	if (first < sleep->waker_stack->nr &&
	    taken + strlen(" in ") + frame_columns(&sleep->waker_stack->frames[first]) > COLUMNS) {
		fprintf(out, "\n%*sin ", (int)behind, "");
		taken = behind + strlen("in ");
	} else {
		fputs(" in ", out);
		taken += strlen(" in ");
	}
	print_frames(out, sleep->waker_stack, first,
		     outermost(sleep->waker_stack, first, waker->end), WAKER_FRAMES,
		     columns_left(taken));
	print_requests(out, sleep, behind);
}

void why_text_sleep(FILE *out, const struct why *why, const struct why_sleep *sleep, size_t behind)
{
	print_where(out, sleep, behind);
	if (!sleep->longest.waking)
		return;
	fprintf(out, "\n%*s", (int)behind, "");
	print_waker(out, why, sleep, behind);
}

static void print_itself(FILE *out, const struct why *why, const struct why_itself *itself,
			 int indent)
{
	static const struct {
		enum thread_state state;
		const char *words;
	} parts[] = {
		{ THREAD_BLOCKED, "blocked" },
		{ THREAD_RUNNABLE, "ready to run" },
		{ THREAD_RUNS, "on the CPU" },
		{ THREAD_UNKNOWN, "in a state that is not known" },
	};
	const struct why_times *times = &itself->times;
	const char *between = "";
	char room[24];
	size_t i;

	fprintf(out, "%*swho meanwhile was itself ", indent, "");
	if (itself->again || itself->deep) {
		fputs(itself->again ? "waiting in this chain already\n" :
				      "waiting: the chain goes on\n",
		      out);
		return;
	}
	if (times->doubts[DOUBT_NO_RECORD]) {
		fprintf(out, "(not known: %s)\n", why_doubt_text(DOUBT_NO_RECORD));
		return;
	}
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!times->sums[parts[i].state])
			continue;
		fprintf(out, "%s%s %s", between, time_text(times->sums[parts[i].state], room),
			parts[i].words);
		between = ", ";
	}
	fputc('\n', out);
	if (!times->nr)
		return;
	fprintf(out, "%*s%s  ", indent + 2, "", time_text(times->sleeps[0].ns, room));
	print_where(out, &times->sleeps[0], (size_t)indent + 12);
	fprintf(out, "\n%*s", indent + 4, "");
	print_waker(out, why, &times->sleeps[0], (size_t)indent + 4);
	fputc('\n', out);
	if (times->sleeps[0].itself)
		print_itself(out, why, times->sleeps[0].itself, indent + 4);
}

static void print_times(FILE *out, uint64_t times)
{
	if (times == 1)
		fputs("once", out);
	else
		fprintf(out, "%" PRIu64 " times", times);
}

static void print_sleeps(FILE *out, const struct why *why, const struct why_times *times,
			 uint64_t of_ns)
{
	uint64_t ns = 0, more = 0;
	size_t i;

	for (i = 0; i < times->nr; i++) {
		const struct why_sleep *sleep = &times->sleeps[i];

		if (i >= SLEEPS) {
			ns += sleep->ns;
			more += sleep->times;
			continue;
		}
		print_part(out, 4, sleep->ns, of_ns);
		print_where(out, sleep, BEHIND);
		if (sleep->times > 1)
			fprintf(out, " (%" PRIu64 " times)", sleep->times);
		fprintf(out, "\n%*s", (int)BEHIND, "");
		print_waker(out, why, sleep, BEHIND);
		fputc('\n', out);
		if (sleep->itself)
			print_itself(out, why, sleep->itself, (int)BEHIND);
	}
	if (!more)
		return;
	print_part(out, 4, ns, of_ns);
	fprintf(out, "in %zu other ways, ", times->nr - SLEEPS);
	print_times(out, more);
	fputs(" (--json shows all)\n", out);
}

/* Of another priority than that of nice 0. */
static const char *prio_text(int16_t prio, char *room, size_t size)
{
	*room = '\0';
	if (prio < 0)
		snprintf(room, size, " (deadline)");
	else if (prio < 100)
		snprintf(room, size, " (real-time %d)", 99 - prio);
	else if (prio != 120)
		snprintf(room, size, " (nice %d)", prio - 120);
	return room;
}

static void print_share(FILE *out, const struct why *why, const struct cpu_share *share)
{
	char room[32];

	if (share->tid == THREAD_STATES_NONE)
		fputs("(not known who)", out);
	else if (!share->tid)
		fputs("nothing", out);
	else
		print_thread(out, why, share->tid, share->name);
	if (share->has_prio)
		fputs(prio_text(share->prio, room, sizeof(room)), out);
	fprintf(out, " %s", time_text(share->ns, room));
}

/* Those that had the CPU, in lines that are full. @taken: columns of the first one */
static void print_shares(FILE *out, const struct why *why, const struct cpu_shares *shares,
			 size_t taken, size_t behind)
{
	size_t i, length = 0;
	char *text = NULL;

	for (i = 0; i < shares->nr && i <= SHARES; i++) {
		FILE *memory = open_memstream(&text, &length);
		const char *before = i ? ", " : ": there ran meanwhile ";

		if (!memory)
			return;
		if (i == SHARES)
			fprintf(memory, "and %zu others", shares->nr - SHARES);
		else
			print_share(memory, why, &shares->of[i]);
		if (fclose(memory))
			length = 0;
		/* One column is for what follows. */
		if (i && taken + strlen(before) + length + 1 > COLUMNS) {
			fprintf(out, ",\n%*s", (int)behind, "");
			taken = behind;
		} else {
			fputs(before, out);
			taken += strlen(before);
		}
		fwrite(text, 1, length, out);
		taken += length;
		free(text);
		text = NULL;
	}
}

void why_text_ready(FILE *out, const struct why *why, const struct why_times *times, size_t behind)
{
	char cpu[32] = "CPUs", prio[32] = "";
	uint64_t idle_ns = 0;
	size_t i;

	if (times->ready_cpu != THREAD_STATES_NONE)
		snprintf(cpu, sizeof(cpu), "CPU %" PRIu32, times->ready_cpu);
	if (times->has_prio)
		prio_text(times->prio, prio, sizeof(prio));
	fprintf(out, "ready to run%s, waiting for %s", prio, cpu);
	print_shares(out, why, &times->ran,
		     behind + strlen("ready to run, waiting for ") + strlen(prio) + strlen(cpu),
		     behind);
	for (i = 0; i < times->ran.nr; i++)
		idle_ns += times->ran.of[i].tid ? 0 : times->ran.of[i].ns;
	if (idle_ns >= IDLE_NS)
		fprintf(out, "\n%*swhether its cgroup was throttled (cpu.max) is not recorded",
			(int)behind, "");
}

static void print_runs(FILE *out, const struct why_times *times)
{
	fputs("on the CPU", out);
	if (times->ran_cpu != THREAD_STATES_NONE)
		fprintf(out, " (%" PRIu32 ")", times->ran_cpu);
	if (!times->switches)
		fputs(", without being switched out", out);
	fputc('\n', out);
}

static void print_doubts(FILE *out, const struct why_times *times, uint64_t of_ns)
{
	enum thread_doubt doubt;

	for (doubt = DOUBT_NO_WAKING; doubt <= DOUBT_NO_RECORD; doubt++) {
		if (!times->doubts[doubt])
			continue;
		print_part(out, 0, times->doubts[doubt], of_ns);
		fprintf(out, "not known: %s\n", why_doubt_text(doubt));
	}
}

static void print_head(FILE *out, const struct why_call *call)
{
	char room[24];

	print_bytes(out, call->name);
	fputs("  ", out);
	print_bytes(out, call->comm[0] ? call->comm : "?");
	fprintf(out, "  pid %" PRIu32, call->pid);
	if (call->tid != call->pid)
		fprintf(out, " tid %" PRIu32, call->tid);
	fprintf(out, "  returned %s%safter %s\n", call->returned, *call->returned ? " " : "",
		time_text(call->latency_ns, room));
}

int why_text_call(FILE *out, const struct why *why, const struct why_call *call,
		  const struct why_times *times)
{
	uint64_t of_ns = call->latency_ns;

	print_head(out, call);
	if (times->sums[THREAD_BLOCKED]) {
		print_part(out, 0, times->sums[THREAD_BLOCKED], of_ns);
		fputs("blocked, ", out);
		print_times(out, times->blocked);
		fputc('\n', out);
		print_sleeps(out, why, times, of_ns);
	}
	if (times->sums[THREAD_RUNNABLE]) {
		print_part(out, 0, times->sums[THREAD_RUNNABLE], of_ns);
		why_text_ready(out, why, times, BEHIND - 4);
		fputc('\n', out);
	}
	if (times->sums[THREAD_RUNS]) {
		print_part(out, 0, times->sums[THREAD_RUNS], of_ns);
		print_runs(out, times);
	}
	print_doubts(out, times, of_ns);
	if (why->lost)
		fprintf(out,
			"  %" PRIu64 " switches and wakings of the recording were lost, perhaps "
			"some of this call: times may be of more than one sleep\n",
			why->lost);
	return 0;
}
