/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wakers.c - who woke a thread, by the context and the stack of the waking */
#include <string.h>

#include "wakers.h"

/* A name, or with * at the end its beginning. Compilers append .isra.0 and the like. */
static bool fits(const char *function, const char *name)
{
	size_t length = strcspn(name, "*");

	if (!function || strncmp(function, name, length) != 0)
		return false;
	return name[length] || !function[length] || function[length] == '.';
}

static bool is_one_of(const char *function, const char *const *names)
{
	for (; *names; names++)
		if (fits(function, *names))
			return true;
	return false;
}

/* Functions that wake, of whoever calls them. */
static const char *const waking[] = {
	"try_to_wake_up", "ttwu_*", "wake_up_*", "__wake_up*", "default_wake_function",
	"autoremove_wake_function", "woken_wake_function", "wake_bit_function",
	"wake_page_function", "var_wake_function", "ep_autoremove_wake_function",
	"receiver_wake_function", "child_wait_callback", "swake_up_*", "complete", "complete_all",
	"complete_with_flags", "pollwake", "__pollwake", "ep_poll_callback", "rcuwait_wake_up",
	"folio_wake_bit", "rwsem_wake", "rwsem_mark_wake", NULL
};

static const char *const softirqs[] = { "__do_softirq", "handle_softirqs", NULL };

/* Actions, and what they end in by a jump, which leaves no frame of the action itself. */
static const struct { const char *function, *name; } actions[] = {
	{ "run_timer_softirq", "TIMER" },
	{ "run_timer_base", "TIMER" },
	{ "__run_timer_base", "TIMER" },
	{ "__run_timers", "TIMER" },
	{ "net_rx_action", "NET_RX" },
	{ "net_tx_action", "NET_TX" },
	{ "blk_done_softirq", "BLOCK" },
	{ "blk_complete_reqs", "BLOCK" },
	{ "irq_poll_softirq", "IRQ_POLL" },
	{ "tasklet_action", "TASKLET" },
	{ "tasklet_hi_action", "HI" },
	{ "tasklet_action_common", "TASKLET or HI" },
	{ "run_rebalance_domains", "SCHED" },
	{ "sched_balance_softirq", "SCHED" },
	{ "hrtimer_run_softirq", "HRTIMER" },
	{ "rcu_core_si", "RCU" },
	{ "rcu_core", "RCU" },
};

/* Interrupts without a device, by the functions where they enter the kernel. */
static const struct { const char *function, *kind; } vectors[] = {
	{ "sysvec_apic_timer_interrupt", "the timer interrupt" },
	{ "sysvec_hyperv_stimer0", "the timer interrupt" },
	{ "sysvec_irq_work", "the interrupt of irq_work" },
	{ "sysvec_call_function_single", "an interrupt from another CPU" },
	{ "sysvec_call_function", "an interrupt from another CPU" },
	{ "sysvec_reschedule_ipi", "an interrupt from another CPU" },
	{ "sysvec_thermal", "the thermal interrupt" },
};

static void find_softirq(const struct recorded_stack *stack, struct waker *waker)
{
	uint32_t i;
	size_t n;

	for (i = 0; i < stack->nr && !is_one_of(stack->frames[i].symbol, softirqs); i++)
		;
	if (i == stack->nr || !i)
		return;
	waker->end = i;
	waker->handler = stack->frames[i - 1].symbol;
	for (n = 0; n < sizeof(actions) / sizeof(actions[0]); n++)
		if (fits(waker->handler, actions[n].function))
			waker->softirq = actions[n].name;
}

static void find_interrupt(const struct recorded_stack *stack, struct waker *waker)
{
	const char *name, *vector;
	uint32_t i;
	size_t n;

	/* A softirq, or another interrupt, may be what was interrupted. */
	for (i = 0; i < stack->nr && !stack->frames[i].interrupted; i++) {
		name = stack->frames[i].symbol;
		if (i && fits(name, "__handle_irq_event_percpu") && !waker->handler) {
			waker->handler = stack->frames[i - 1].symbol;
			waker->end = i;
		}
		for (n = 0; name && n < sizeof(vectors) / sizeof(vectors[0]); n++) {
			vector = vectors[n].function;
			if (fits(name, vector) ||
			    (!strncmp(name, "__", 2) && fits(name + 2, vector)))
				waker->kind = vectors[n].kind;
		}
		if (fits(name, "asm_*"))
			break;
	}
	if (!waker->handler)
		waker->end = i;
}

/*
 * Functions that wake because of a lock, and what has happened to it then. Who unlocks a mutex or
 * an rwsem has had it. A function further out tells more: rwsem_wake() is of writers and readers,
 * and may stand for either where that ends in it by a jump.
 */
#define LOCKS_ARE_MUTEXES  1U
#define LOCKS_ARE_RWSEMS   2U
#define LOCKS_ARE_OF_FILES 4U

static const struct {
	const char *function;
	unsigned int locks;
	enum waker_lock what;
} releasing[] = {
	{ "__mutex_unlock_slowpath", LOCKS_ARE_MUTEXES, WAKER_LOCK_RELEASED },
	{ "mutex_unlock", LOCKS_ARE_MUTEXES, WAKER_LOCK_RELEASED },
	{ "ww_mutex_unlock", LOCKS_ARE_MUTEXES, WAKER_LOCK_RELEASED },
	{ "rwsem_wake", LOCKS_ARE_RWSEMS, WAKER_LOCK_RELEASED },
	{ "up_write", LOCKS_ARE_RWSEMS, WAKER_LOCK_WRITTEN },
	{ "up_read", LOCKS_ARE_RWSEMS, WAKER_LOCK_READ },
	{ "rwsem_downgrade_wake", LOCKS_ARE_RWSEMS, WAKER_LOCK_DOWNGRADED },
	{ "downgrade_write", LOCKS_ARE_RWSEMS, WAKER_LOCK_DOWNGRADED },
	{ "rwsem_down_read_slowpath", LOCKS_ARE_RWSEMS, WAKER_LOCK_TAKING },
	{ "rwsem_down_write_slowpath", LOCKS_ARE_RWSEMS, WAKER_LOCK_TAKING },
	/* These are also of who gives up waiting for the lock: without those that follow. */
	{ "__locks_wake_up_blocks", LOCKS_ARE_OF_FILES, WAKER_LOCK_NONE },
	{ "locks_wake_up_blocks", LOCKS_ARE_OF_FILES, WAKER_LOCK_NONE },
	{ "locks_unlink_lock_ctx", LOCKS_ARE_OF_FILES, WAKER_LOCK_RELEASED },
	{ "locks_delete_lock_ctx", LOCKS_ARE_OF_FILES, WAKER_LOCK_RELEASED },
	{ "flock_lock_inode", LOCKS_ARE_OF_FILES, WAKER_LOCK_RELEASED },
	{ "posix_lock_inode", LOCKS_ARE_OF_FILES, WAKER_LOCK_RELEASED },
};

#define NR_RELEASING (sizeof(releasing) / sizeof(releasing[0]))

static size_t releasing_function(const char *function)
{
	size_t n;

	for (n = 0; n < NR_RELEASING && !fits(function, releasing[n].function); n++)
		;
	return n;
}

static unsigned int locks_of(enum kcatch_lock_kind kind)
{
	switch (kind) {
	case KCATCH_LOCK_MUTEX:
		return LOCKS_ARE_MUTEXES;
	case KCATCH_LOCK_RWSEM_READ:
	case KCATCH_LOCK_RWSEM_WRITE:
		return LOCKS_ARE_RWSEMS;
	case KCATCH_LOCK_NONE:
		break;
	}
	return LOCKS_ARE_OF_FILES;
}

/* The functions of the lock are the innermost but for those of waking: no other lock is between. */
static void find_lock(const struct recorded_stack *stack, unsigned int locks, struct waker *waker)
{
	uint32_t i;
	size_t n;

	for (i = 0; i < waker->end; i++) {
		n = releasing_function(stack->frames[i].symbol);
		if (n == NR_RELEASING && !is_one_of(stack->frames[i].symbol, waking))
			break;
		if (n < NR_RELEASING && releasing[n].locks != locks)
			break;
		if (n < NR_RELEASING)
			waker->lock = releasing[n].what;
	}
	waker->file_lock = waker->lock && locks == LOCKS_ARE_OF_FILES;
	waker->user = i;
}

void waker_find(const struct recorded_stack *stack, enum kcatch_event_context context,
		enum kcatch_lock_kind waited, struct waker *waker)
{
	*waker = (struct waker){ .context = context, .end = stack->nr };
	if (context == KCATCH_IN_SOFTIRQ)
		find_softirq(stack, waker);
	else if (context != KCATCH_IN_TASK)
		find_interrupt(stack, waker);
	else
		find_lock(stack, locks_of(waited), waker);
	while (waker->first + 1 < waker->end &&
	       is_one_of(stack->frames[waker->first].symbol, waking))
		waker->first++;
}

bool waker_sleeps_in(const char *function)
{
	static const char *const names[] = {
		"__schedule", "schedule", "schedule_timeout*", "schedule_hrtimeout*",
		"schedule_preempt_disabled", "schedule_idle", "io_schedule", "io_schedule_timeout",
		"preempt_schedule*", "__cond_resched", "do_wait_intr*", NULL
	};

	return is_one_of(function, names);
}
