// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walking the stack of 64-bit Arm. stack.h says what is promised.
 *
 * Each function that calls another one makes a frame record: the frame pointer of its caller, and
 * where it returns to, which may be signed. The frame pointer leads from record to record.
 *
 * Where the processor was interrupted the function may have made none yet, or none at all; then
 * its caller is in the link register alone, and the records lead past it. Which of the two it is
 * the code tells: leaf_at(). The kernel's own unwinder does not ask before 6.13, and later shows
 * the link register always.
 *
 * Limits: a stack of neither the task nor THREAD_SIZE's alignment, as the one that a stack overflow
 * has, ends the walk as broken.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/ptrace.h>
#include <asm/stack_pointer.h>
#include "compat/regs.h"
#include "core/guard.h"
#include "core/symbol.h"
#include "core/text.h"
#include "program/load.h"
#include "returns/returns.h"
#include "stack/stack.h"
#include "stack/walk.h"

/* What a kernel since 6.13 has in the record inside of struct pt_regs, behind its two words
 * (asm/stacktrace/frame.h). Before, the record there is that of the interrupted code. */
#if __has_include(<asm/stacktrace/frame.h>)
#include <asm/stacktrace/frame.h>
#define RECORD_HAS_TYPE	true
#else
#define FRAME_META_TYPE_FINAL	1
#define FRAME_META_TYPE_PT_REGS	2
#define RECORD_HAS_TYPE	false
#endif

#define RECORD_SIZE	(2 * sizeof(long))
/* Frames of one stack that were interrupted, at most. */
#define INTERRUPTED_MAX	16

/* Code of exceptions, and that of ftrace between a function and its hook; 0: not known. */
static unsigned long entry_start __read_mostly, entry_end __read_mostly;
static unsigned long ftrace_start __read_mostly, ftrace_end __read_mostly;

static bool stack_peek(unsigned long address, unsigned long *value)
{
	u64 fault = 0;

	*value = kcatch_load_word(address, sizeof(*value), &fault);
	return !fault;
}

static bool in_entry_code(unsigned long address)
{
	return !entry_start || address - entry_start < entry_end - entry_start;
}

static bool in_ftrace_code(unsigned long address)
{
	return address - ftrace_start < ftrace_end - ftrace_start;
}

/* ---- functions that have made no frame record ----------------------------------- */

/* "name+0x12/0x345 [module]" */
#define NAME_ROOM	KSYM_SYMBOL_LEN

/* Where the function of an address begins and ends. */
struct function {
	unsigned long start;
	unsigned long end;
	bool is_part;	/* of a function, elsewhere: "name.cold" */
};

/*
 * What was found, by address: a tag, then how many instructions the function has before it and
 * from it on. One word each, for hits of all CPUs and contexts.
 */
#define FOUND_SHIFT	10
#define FOUND_TAG	GENMASK_ULL(63, 31)
#define FOUND_BEFORE	GENMASK_ULL(30, 16)
#define FOUND_BEHIND	GENMASK_ULL(15, 1)
#define FOUND_PART	1ULL

static u64 found[1 << FOUND_SHIFT];

/* The bits of an address that tell it from others: code lies within 32 GB. */
static u64 found_tag(unsigned long address)
{
	return ((u64)address >> 2) << 31 & FOUND_TAG;
}

static u64 *found_place(unsigned long address)
{
	return &found[(address >> 2 ^ address >> 12) & ((1 << FOUND_SHIFT) - 1)];
}

void kcatch_stack_forget_all(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(found); i++)
		WRITE_ONCE(found[i], 0);
}

void kcatch_stack_forget(struct module *module)
{
	kcatch_stack_forget_all();
}

/* The kernel's lookup by address is exported to those who print it, alone. */
static noinline bool function_look_up(struct function *function, unsigned long address)
{
	char text[NAME_ROOM];
	unsigned long offset, size;
	const char *at;

	/* Modules are looked up under RCU. */
	if (!rcu_is_watching())
		return false;
	snprintf(text, sizeof(text), "%pS", (void *)address);
	at = strrchr(text, '+');
	if (!at || sscanf(at, "+0x%lx/0x%lx", &offset, &size) != 2 || offset >= size)
		return false;
	function->start = address - offset;
	function->end = function->start + size;
	function->is_part = at - text > 5 && strnstr(text, ".cold", at - text);
	return true;
}

static bool function_of(struct function *function, unsigned long address)
{
	u64 *place = found_place(address), word = READ_ONCE(*place), before, behind;

	if (word && !((word ^ found_tag(address)) & FOUND_TAG)) {
		function->start = address - FIELD_GET(FOUND_BEFORE, word) * KCATCH_INSTRUCTION;
		function->end = address + FIELD_GET(FOUND_BEHIND, word) * KCATCH_INSTRUCTION;
		function->is_part = word & FOUND_PART;
		return true;
	}
	if (!function_look_up(function, address))
		return false;
	before = (address - function->start) / KCATCH_INSTRUCTION;
	behind = (function->end - address) / KCATCH_INSTRUCTION;
	if (FIELD_FIT(FOUND_BEFORE, before) && FIELD_FIT(FOUND_BEHIND, behind) && behind)
		WRITE_ONCE(*place, found_tag(address) | FIELD_PREP(FOUND_BEFORE, before) |
				   FIELD_PREP(FOUND_BEHIND, behind) |
				   (function->is_part ? FOUND_PART : 0));
	return true;
}

static bool function_has(const struct function *function, unsigned long address)
{
	return address - function->start < function->end - function->start;
}

static u32 instruction_at(unsigned long address)
{
	u64 fault = 0;
	u32 instruction = kcatch_load_word(address, sizeof(instruction), &fault);

	return fault ? 0 : instruction;
}

/* ADRP X16; ADD X16, X16, ...; BR X16: what a module calls where the function is far. Return: where
 * it leads; 0: it is none */
static unsigned long veneer_target(unsigned long address)
{
	u32 page = instruction_at(address), low = instruction_at(address + 4);
	s64 distance;

	if ((page & 0x9f00001fU) != 0x90000010U || (low & 0xffc003ffU) != 0x91000210U ||
	    instruction_at(address + 8) != 0xd61f0200U)
		return 0;
	distance = (s64)((u64)((page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3)) << 43) >> 43;
	return (address & ~0xfffUL) + distance * 4096 + (low >> 10 & 0xfff);
}

enum leaf {
	LEAF_FRAMED,	/* its frame record is the innermost one */
	LEAF_UNFRAMED,	/* it has none: its caller is in the link register */
	LEAF_UNKNOWN,
};

/*
 * A function that calls itself: whether it has a record is told by its code up to the place. STP
 * X29, X30 and then MOV X29, SP or ADD X29, SP, #n make it; LDP X29, X30 ends it. Code lies in the
 * order in which it runs, unless the compiler has moved what it holds for rare.
 */
static enum leaf leaf_by_code(const struct function *function, unsigned long place)
{
	bool stored = false, framed = false;
	unsigned long at;
	u32 instruction;

	for (at = function->start; at < place; at += KCATCH_INSTRUCTION) {
		instruction = instruction_at(at);
		if ((instruction & 0xfe407fffU) == 0xa8007bfdU)
			stored = true;
		else if (stored && (instruction & 0xff8003ffU) == 0x910003fdU)
			framed = true;
		else if ((instruction & 0xfe407fffU) == 0xa8407bfdU)
			framed = stored = false;
	}
	return framed ? LEAF_FRAMED : LEAF_UNFRAMED;
}

/*
 * Has the function that was interrupted at @place made its frame record?
 * @frame: frame pointer there
 * @link: link register, not signed
 *
 * The link register of a function without a record is behind the call of that function. Of one with
 * a record it is behind the last call that it has made itself, or, before that, what the record
 * has, or anything.
 */
static enum leaf leaf_at(unsigned long place, unsigned long frame, unsigned long link)
{
	struct function function;
	unsigned long recorded, target;
	u32 instruction;

	if (!kcatch_may_be_code(link))
		return LEAF_FRAMED;
	if (!function_of(&function, place))
		return LEAF_UNKNOWN;
	instruction = instruction_at(link - KCATCH_INSTRUCTION);
	target = kcatch_is_bl(instruction) ?
		 kcatch_bl_target(instruction, link - KCATCH_INSTRUCTION) : 0;
	if (function_has(&function, link - KCATCH_INSTRUCTION))
		return target && function_has(&function, target) ? leaf_by_code(&function, place) :
								   LEAF_FRAMED;
	if (kcatch_returns_is_trampoline(link))
		return stack_peek(frame + sizeof(long), &recorded) &&
		       kcatch_code_address(recorded) == link ? LEAF_FRAMED : LEAF_UNFRAMED;
	if (stack_peek(frame + sizeof(long), &recorded) && kcatch_code_address(recorded) == link)
		return LEAF_FRAMED;
	if (target)
		return function_has(&function, target) ||
		       function_has(&function, veneer_target(target)) ? LEAF_UNFRAMED : LEAF_FRAMED;
	return kcatch_is_blr(instruction) && !function.is_part ? LEAF_UNFRAMED : LEAF_FRAMED;
}

/* ---- the walk --------------------------------------------------------------------- */

/**
 * struct walk - a frame that has yet to be left
 * @ip: where it is
 * @frame: its frame pointer; of a call also the slot
 * @task: whose stack it is
 * @low: lower end of the task's stack
 * @other: lower end of another stack that the walk began on; @low if there is none
 * @at: the last record, on the stack that it is on; 0: none yet
 * @interrupted: @ip is no return address
 * @regs: of an interrupted frame: what was saved, on the stack
 */
struct walk {
	unsigned long ip, frame;
	struct task_struct *task;
	unsigned long low, other, at;
	bool interrupted;
	const struct pt_regs *regs;
};

enum step { STEP_FRAME, STEP_DONE, STEP_BROKEN };

static void walk_begin(struct walk *walk, struct task_struct *task, unsigned long ip,
		       unsigned long frame)
{
	*walk = (struct walk) {
		.ip = ip, .frame = frame, .task = task,
		.low = (unsigned long)READ_ONCE(task->stack),
	};
	walk->other = task == current ? current_stack_pointer & ~(THREAD_SIZE - 1) : walk->low;
}

/* Do @size bytes lie on the stack that begins at @low? */
static bool lies_on(unsigned long low, unsigned long address, unsigned long size)
{
	return address - low <= THREAD_SIZE - size;
}

/* May a record be there? Records lead upwards, and from another stack to the task's. */
static bool record_is_next(const struct walk *walk)
{
	if (walk->frame & 7)
		return false;
	if (lies_on(walk->low, walk->frame, RECORD_SIZE))
		return !lies_on(walk->low, walk->at, RECORD_SIZE) || walk->frame > walk->at;
	return lies_on(walk->other, walk->frame, RECORD_SIZE) &&
	       (!walk->at ||
		(lies_on(walk->other, walk->at, RECORD_SIZE) && walk->frame > walk->at));
}

/* The registers that hold the record; NULL: they do not lie on a stack. */
static const struct pt_regs *registers_of(const struct walk *walk)
{
	unsigned long regs = walk->frame - offsetof(struct pt_regs, stackframe);

	return lies_on(walk->low, regs, sizeof(struct pt_regs)) ||
	       lies_on(walk->other, regs, sizeof(struct pt_regs)) ? (const struct pt_regs *)regs :
								    NULL;
}

#define REGISTER(regs, member)	((unsigned long)(regs) + offsetof(struct pt_regs, member))

/* Is it the record inside of the registers of an interrupted place, which has what they have? */
static bool record_is_of_registers(const struct walk *walk, const struct pt_regs *regs,
			   unsigned long frame, unsigned long ip)
{
	unsigned long pc, fp, sp, state;

	return regs && in_entry_code(walk->ip) && stack_peek(REGISTER(regs, pc), &pc) &&
	       stack_peek(REGISTER(regs, regs[KCATCH_FP]), &fp) &&
	       stack_peek(REGISTER(regs, sp), &sp) && stack_peek(REGISTER(regs, pstate), &state) &&
	       pc == ip && fp == frame && sp == (unsigned long)(regs + 1) &&
	       (state & PSR_MODE_MASK) != PSR_MODE_EL0t;
}

static enum step step_to_interrupted(struct walk *walk, const struct pt_regs *regs)
{
	if (!regs || !stack_peek(REGISTER(regs, pc), &walk->ip) ||
	    !stack_peek(REGISTER(regs, regs[KCATCH_FP]), &walk->frame))
		return STEP_BROKEN;
	walk->interrupted = true;
	walk->regs = regs;
	return STEP_FRAME;
}

/* Where user mode was left, or a thread began, the record is empty, and lies in the registers at
 * the end of the stack. */
static enum step step_to_end(struct walk *walk)
{
	const struct pt_regs *end = (const struct pt_regs *)(walk->low + THREAD_SIZE) - 1;
	unsigned long type = 0;

	if (RECORD_HAS_TYPE && !stack_peek(walk->frame + RECORD_SIZE, &type))
		return STEP_BROKEN;
	if (RECORD_HAS_TYPE && type == FRAME_META_TYPE_PT_REGS)
		return step_to_interrupted(walk, registers_of(walk));
	if (RECORD_HAS_TYPE && type != FRAME_META_TYPE_FINAL)
		return STEP_BROKEN;
	return registers_of(walk) == end ? STEP_DONE : STEP_BROKEN;
}

/* Leaves the function by its frame record. */
static enum step step_by_record(struct walk *walk)
{
	unsigned long frame, ip;

	if (!record_is_next(walk) || !stack_peek(walk->frame, &frame) ||
	    !stack_peek(walk->frame + sizeof(long), &ip))
		return STEP_BROKEN;
	walk->at = walk->frame;
	if (!frame && !ip)
		return step_to_end(walk);
	if (!RECORD_HAS_TYPE && record_is_of_registers(walk, registers_of(walk), frame, ip))
		return step_to_interrupted(walk, registers_of(walk));
	walk->ip = kcatch_code_address(ip);
	walk->frame = frame;
	walk->interrupted = false;
	return STEP_FRAME;
}

/* Leaves a function where it was interrupted. @link: its link register, as it was saved */
static enum step step_from_inside(struct walk *walk, unsigned long link)
{
	link = kcatch_code_address(link);
	switch (leaf_at(walk->ip, walk->frame, link)) {
	case LEAF_FRAMED:
		return step_by_record(walk);
	case LEAF_UNFRAMED:
		walk->ip = link;
		walk->interrupted = false;
		return STEP_FRAME;
	default:
		return STEP_BROKEN;
	}
}

/* Ftrace's code was interrupted before it had saved where the function returns to, which is in
 * X9. Then the frame behind the function, whose address is the present one, is there. */
static bool step_by_x9(struct walk *walk, const struct pt_regs *regs)
{
	unsigned long caller, recorded;

	if (!stack_peek(REGISTER(regs, regs[9]), &caller))
		return false;
	caller = kcatch_code_address(caller);
	if (!kcatch_may_be_code(caller) ||
	    (stack_peek(walk->frame + sizeof(long), &recorded) &&
	     kcatch_code_address(recorded) == caller))
		return false;
	walk->ip = caller;
	return true;
}

static enum step walk_step(struct walk *walk)
{
	const struct pt_regs *regs = walk->regs;
	unsigned long link, ip = walk->ip;
	enum step step;

	walk->regs = NULL;
	if (!walk->interrupted)
		return step_by_record(walk);
	if (!stack_peek(REGISTER(regs, regs[KCATCH_LR]), &link))
		return STEP_BROKEN;
	step = step_from_inside(walk, link);
	if (step == STEP_FRAME && !walk->interrupted && in_ftrace_code(ip) &&
	    walk->ip == kcatch_code_address(link))
		walk->regs = regs;	/* for step_by_x9() */
	return step;
}

/* The true address of a hooked return, by us or by another tracer. False: it is not known */
static bool walk_recover(struct walk *walk)
{
	unsigned long address;

	if (likely(!kcatch_returns_is_hook(walk->ip, walk->task, walk->frame)))
		return true;
	address = walk->task == current ? kcatch_returns_address(walk->frame) :
					  kcatch_returns_address_of(walk->task, walk->frame);
	if (!address)
		return false;
	walk->ip = address;
	return true;
}

/* Collects frames from the present one on. @fold: ours become one marked frame */
static void walk_collect(struct walk *walk, struct kcatch_stack *stack, u32 depth, bool fold)
{
	bool after_own = false, own;
	enum step step;
	u32 interrupted = 0;

	stack->nr = stack->interrupted = 0;
	for (;;) {
		if (!walk->interrupted && !walk_recover(walk)) {
			stack->frames[stack->nr++] = KCATCH_FRAME_HOOKED;
			stack->flags = KCATCH_STACK_BROKEN;
			return;
		}
		if (!kcatch_may_be_code(walk->ip) || (walk->interrupted &&
						      ++interrupted > INTERRUPTED_MAX)) {
			stack->flags = KCATCH_STACK_BROKEN;
			return;
		}
		own = fold && (within_module_core(walk->ip, THIS_MODULE) ||
			       (after_own && in_ftrace_code(walk->ip)));
		if (!own || !after_own) {
			if (stack->nr == depth) {
				stack->flags = KCATCH_STACK_DEPTH;
				return;
			}
			if (walk->interrupted && !own)
				kcatch_stack_note_interrupted(&stack->interrupted, stack->nr);
			stack->frames[stack->nr++] = own ? KCATCH_FRAME_SELF : walk->ip;
		}
		after_own = own;
		if (walk->regs && !walk->interrupted) {
			const struct pt_regs *regs = walk->regs;

			walk->regs = NULL;
			if (step_by_x9(walk, regs))
				continue;
		}
		step = walk_step(walk);
		if (step != STEP_FRAME) {
			stack->flags = step == STEP_DONE ? KCATCH_STACK_COMPLETE :
							   KCATCH_STACK_BROKEN;
			return;
		}
	}
}

u64 kcatch_stack_walk_fast(u64 *frames, unsigned long ip, unsigned long sp, unsigned long bp,
			   unsigned long depth)
{
	struct kcatch_stack stack = { .frames = frames };
	struct walk walk;

	if (!kcatch_stack_fast)
		return 0;
	walk_begin(&walk, current, ip, bp);
	walk_collect(&walk, &stack, depth, true);
	return kcatch_stack_pack(&stack);
}

/* The kernel's walk begins with this function: what is behind the first @caller is wanted. */
void kcatch_stack_walk_entry_kernel(struct kcatch_stack *stack, unsigned long ip,
				    unsigned long caller, unsigned long sp, unsigned long bp,
				    u32 depth)
{
	u32 nr = 0, first;

	caller = kcatch_returns_caller(caller, bp);
	stack->nr = stack->interrupted = 0;
	stack->flags = KCATCH_STACK_BROKEN;
	BUILD_BUG_ON(sizeof(stack->frames[0]) != sizeof(unsigned long));
	if (rcu_is_watching())
		nr = stack_trace_save((unsigned long *)stack->frames, KCATCH_DEPTH_MAX + 1, 0);
	for (first = 0; first < nr && stack->frames[first] != caller; first++)
		;
	if (first == nr) {
		stack->frames[stack->nr++] = caller;
		return;
	}
	/* A full one may have been cut. */
	if (nr <= KCATCH_DEPTH_MAX)
		stack->flags = KCATCH_STACK_COMPLETE;
	stack->nr = min(nr - first, depth);
	memmove(stack->frames, stack->frames + first, stack->nr * sizeof(stack->frames[0]));
	if (nr - first > depth)
		stack->flags = KCATCH_STACK_DEPTH;
}

void kcatch_stack_walk_inside(struct kcatch_stack *stack, unsigned long ip,
			      struct pt_regs *regs, u32 depth)
{
	struct walk walk;

	walk_begin(&walk, current, ip, regs->regs[KCATCH_FP]);
	walk.interrupted = true;
	stack->nr = stack->interrupted = 0;
	if (step_from_inside(&walk, regs->regs[KCATCH_LR]) != STEP_FRAME) {
		stack->flags = KCATCH_STACK_BROKEN;
		return;
	}
	walk_collect(&walk, stack, depth, true);
}

/* What the context switch saved is in the task's context. Of a task that has never run it is where
 * it begins. */
bool kcatch_stack_walk_task(struct kcatch_stack *stack, struct task_struct *task, bool new,
			    u32 depth)
{
	const struct cpu_context *saved = &task->thread.cpu_context;
	struct walk walk;

	walk_begin(&walk, task, READ_ONCE(saved->pc), READ_ONCE(saved->fp));
	if (!walk.low)
		return false;
	walk_collect(&walk, stack, depth, false);
	if (new && stack->nr)
		kcatch_stack_note_interrupted(&stack->interrupted, 0);
	return true;
}

void kcatch_stack_walk_frame(struct kcatch_stack *stack, const unsigned long *frame, u32 depth)
{
	struct walk walk;

	walk_begin(&walk, current, kcatch_frame_caller(frame), frame[0]);
	walk_collect(&walk, stack, depth, false);
}

bool kcatch_stack_has_own(struct pt_regs *regs)
{
	struct walk walk;
	u32 i;

	walk_begin(&walk, current, kcatch_regs_caller(regs), kcatch_regs_frame(regs));
	for (i = 0; i < KCATCH_DEPTH_MAX; i++) {
		if (!walk.interrupted && !walk_recover(&walk))
			return false;
		if (within_module_core(walk.ip, THIS_MODULE))
			return true;
		if (!kcatch_may_be_code(walk.ip) || walk_step(&walk) != STEP_FRAME)
			return false;
	}
	return false;
}

/* ---- trying it ---------------------------------------------------------------------- */

/* Both ways over the stack that called us must agree, frame by frame. */
static noinline bool walk_agrees_with_kernel(void)
{
	static u64 ours[KCATCH_DEPTH_MAX], theirs[KCATCH_DEPTH_MAX + 1];
	const unsigned long *frame = __builtin_frame_address(0);
	struct kcatch_stack mine = { .frames = ours }, kernel = { .frames = theirs };
	struct walk walk;
	u32 busy;

	busy = kcatch_outside_enter();
	walk_begin(&walk, current, kcatch_frame_caller(frame), frame[0]);
	walk_collect(&walk, &mine, KCATCH_DEPTH_MAX, false);
	kcatch_stack_walk_entry_kernel(&kernel, 0, kcatch_frame_caller(frame), 0, frame[0],
				       KCATCH_DEPTH_MAX);
	kcatch_outside_leave(busy);
	return mine.nr == kernel.nr && mine.nr > 2 && mine.flags == kernel.flags &&
	       !memcmp(ours, theirs, mine.nr * sizeof(ours[0]));
}

bool kcatch_stack_try(void)
{
	entry_start = kcatch_symbol_private("__entry_text_start");
	entry_end = kcatch_symbol_private("__entry_text_end");
	if (!entry_end)
		entry_start = 0;
	ftrace_start = kcatch_symbol_private("ftrace_caller");
	ftrace_end = kcatch_symbol_private("ftrace_stub");
	if (ftrace_end < ftrace_start)
		ftrace_start = ftrace_end = 0;
	return walk_agrees_with_kernel();
}

void kcatch_stack_try_trampoline(unsigned long trampoline)
{
}
