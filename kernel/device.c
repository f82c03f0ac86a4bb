// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/kcatch: sessions as open files. Everything that comes from user space
 * is checked here and copied once, before anything is changed.
 */
#include <linux/fs.h>
#include <linux/log2.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/kcatch.h>
#include "arm/counters.h"
#include "arm/freed_symbols.h"
#include "arm/session.h"
#include "arm/under_way.h"
#include "core/ftrace_match.h"
#include "core/guard.h"
#include "core/permission.h"
#include "core/robust.h"
#include "core/site.h"
#include "core/symbol.h"
#include "core/trial.h"
#include "device.h"
#include "find/resolve.h"
#include "find/symbol_table.h"
#include "hit/hit_count.h"
#include "hit/pair.h"
#include "ktrace/ktrace_event.h"
#include "program/program.h"
#include "returns/returns.h"
#include "ring/clock.h"
#include "ring/memory.h"
#include "ring/ring_memory.h"
#include "stack/stack.h"
#include "tasks.h"

/* Longest name taken from user space: module:symbol, both at their longest. */
#define NAME_MAX_LEN	(KSYM_NAME_LEN + MODULE_NAME_LEN)
/* Probes copied to user space in one go. */
#define QUERY_CHUNK	64U
/* Names that are asked for at once, from which on they are read out of the table of symbols: that
 * takes 3 ms if it is read from front to back for so few. */
#define MANY_NAMES	64U

static int kcatch_open(struct inode *inode, struct file *file)
{
	struct kcatch_session *session;
	int error = kcatch_may_trace();

	if (!error)
		error = kcatch_session_create(NULL, &session);
	if (error)
		return error;
	file->private_data = session;
	return nonseekable_open(inode, file);
}

static int kcatch_release(struct inode *inode, struct file *file)
{
	kcatch_session_close(file->private_data);
	return 0;
}

static long get_info(void __user *user)
{
	struct kcatch_info info = {
		.abi = KCATCH_ABI,
		.nr_cpus = nr_cpu_ids,
		.features = KCATCH_FEATURE_FTRACE | KCATCH_FEATURE_KPROBE,
	};

	info.features |= KCATCH_FEATURE_CONDITION | KCATCH_FEATURE_COUNT;
	if (!kcatch_returns_refused)
		info.features |= KCATCH_FEATURE_RETURN;
	info.features |= kcatch_trial_features();
	/* selfcheck may have found a difference since. */
	if (!kcatch_stack_is_fast())
		info.features &= ~KCATCH_FEATURE_ORC;
	kcatch_clock_describe(&info);
	strscpy(info.version, KCATCH_VERSION, sizeof(info.version));
	return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : 0;
}

static long do_setup(struct kcatch_session *session, void __user *user)
{
	struct kcatch_setup setup;

	if (copy_from_user(&setup, user, sizeof(setup)))
		return -EFAULT;
	return kcatch_session_setup(session, &setup);
}

/* One target out of user space; its name is freed by free_wants(). */
static int take_target(const struct kcatch_target *target, struct kcatch_want *want)
{
	*want = (struct kcatch_want) {
		.kind = target->kind & ~KCATCH_TARGET_PENDING,
		.pending = target->kind & KCATCH_TARGET_PENDING,
		.address = target->address, .offset = target->offset,
	};
	switch (want->kind & ~KCATCH_TARGET_OPTIONAL) {
	case KCATCH_TARGET_ADDRESS:
	case KCATCH_TARGET_WATCH:
		return target->name || target->name_len || want->pending ? -EINVAL : 0;
	case KCATCH_TARGET_PATTERN:
	case KCATCH_TARGET_TRACEPOINT:
	case KCATCH_TARGET_EVENT:
		if (target->offset)
			return -EINVAL;
		fallthrough;
	case KCATCH_TARGET_NAME:
		break;
	default:
		return -EINVAL;
	}
	if (target->address || !target->name_len)
		return -EINVAL;
	if (target->name_len >= NAME_MAX_LEN)
		return -ENAMETOOLONG;
	want->name = memdup_user_nul(u64_to_user_ptr(target->name), target->name_len);
	if (IS_ERR(want->name)) {
		int error = PTR_ERR(want->name);

		want->name = NULL;
		return error;
	}
	if ((want->kind & ~KCATCH_TARGET_OPTIONAL) == KCATCH_TARGET_EVENT)
		want->pending = true;
	else if (want->pending && (kcatch_want_is_event(want) || *want->name == ':' ||
				   !strchr(want->name, ':')))
		return -EINVAL;
	return strlen(want->name) == target->name_len ? 0 : -EINVAL;
}

static void free_wants(struct kcatch_want *wants, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		kfree(wants[i].name);
	kvfree(wants);
}

/* The gate's process, as the first pid namespace numbers it. */
static int global_pid(struct kcatch_add *add)
{
	struct pid *pid;
	int error = -ESRCH;

	if (!(add->flags & KCATCH_ADD_PID))
		return add->pid ? -EINVAL : 0;
	rcu_read_lock();
	pid = find_vpid(add->pid);
	if (pid && pid_task(pid, PIDTYPE_TGID)) {
		add->pid = pid_nr(pid);
		error = 0;
	}
	rcu_read_unlock();
	return error;
}

/* The bytes that copies of all names take; each name is checked when it is copied. */
static u64 names_bytes(const struct kcatch_target *targets, u32 nr)
{
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < nr; i++)
		if (targets[i].name_len < NAME_MAX_LEN)
			bytes += roundup_pow_of_two(targets[i].name_len + 1);
	return bytes;
}

/* With all of it copied. The results go into @add and @targets. */
static int add_targets(struct kcatch_session *session, struct kcatch_add *add,
		       struct kcatch_target *targets, struct kcatch_want *wants)
{
	int error = 0;
	u32 i;

	for (i = 0; !error && i < add->nr_targets; i++) {
		error = take_target(&targets[i], &wants[i]);
		wants[i].error = error;
		if (error)
			add->bad_target = i;
	}
	if (!error)
		error = kcatch_session_add(session, add, wants);
	for (i = 0; i < add->nr_targets; i++) {
		targets[i].error = wants[i].error;
		targets[i].nr_probes = error ? 0 : wants[i].nr_probes;
		targets[i].nr_skipped = wants[i].nr_skipped;
	}
	return error;
}

/* The names are on the account of memory for as long as there are copies of them. */
static int add_charged(struct kcatch_session *session, struct kcatch_add *add,
		       struct kcatch_target *targets)
{
	u64 bytes = names_bytes(targets, add->nr_targets);
	struct kcatch_want *wants;
	int error = -ENOMEM;

	add->bad_target = ~0U;
	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	wants = kvcalloc(add->nr_targets, sizeof(*wants), GFP_KERNEL);
	if (wants) {
		error = add_targets(session, add, targets, wants);
		free_wants(wants, add->nr_targets);
	}
	kcatch_memory_uncharge(bytes);
	return error;
}

static long do_add_targets(struct kcatch_session *session, struct kcatch_add *add,
			   void __user *user)
{
	void __user *user_targets = u64_to_user_ptr(add->targets);
	size_t size = array_size(add->nr_targets, sizeof(struct kcatch_target));
	struct kcatch_target *targets;
	u32 user_pid = add->pid;
	int error;

	/* Refuses memory that cannot be written before probe numbers are used up. */
	if (copy_to_user(user, add, sizeof(*add)))
		return -EFAULT;
	error = global_pid(add);
	if (error)
		return error;
	targets = vmemdup_user(user_targets, size);
	if (IS_ERR(targets))
		return PTR_ERR(targets);
	error = copy_to_user(user_targets, targets, size) ? -EFAULT :
							    add_charged(session, add, targets);
	add->pid = user_pid;
	if (copy_to_user(user_targets, targets, size) ||
	    copy_to_user(user, add, sizeof(*add))) {
		/* Nobody can use what nobody was told of. Where removing it would wait, it stays
		 * until the session ends. */
		if (!error && !kcatch_tracepoints_leave(KCATCH_ANSWER_LIMIT, TASK_KILLABLE))
			kcatch_session_remove(session, add->group);
		error = error ?: -EFAULT;
	}
	kvfree(targets);
	return error;
}

static long do_add(struct kcatch_session *session, void __user *user)
{
	struct kcatch_add add;
	u64 bytes;
	long error;

	if (copy_from_user(&add, user, sizeof(add)))
		return -EFAULT;
	if (!add.nr_targets || add.comm[KCATCH_COMM_LEN - 1])
		return -EINVAL;
	if (add.nr_targets > KCATCH_TARGETS_MAX)
		return -E2BIG;
	bytes = (u64)add.nr_targets * (sizeof(struct kcatch_target) + sizeof(struct kcatch_want));
	if (!kcatch_memory_charge(bytes))
		return -ENOMEM;
	error = do_add_targets(session, &add, user);
	kcatch_memory_uncharge(bytes);
	return error;
}

static long do_program(struct kcatch_session *session, void __user *user)
{
	struct kcatch_program program;
	int error;

	if (copy_from_user(&program, user, sizeof(program)))
		return -EFAULT;
	error = kcatch_session_program(session, &program);
	/* A number nobody was told of is lost, and goes with the session. */
	return copy_to_user(user, &program, sizeof(program)) ? -EFAULT : error;
}

static int bind_one(struct kcatch_session *session, const struct kcatch_binding *binding)
{
	char *name;
	int error;

	if (binding->probe != ~0U)
		return binding->group || binding->name || binding->name_len ? -EINVAL :
		       kcatch_session_bind(session, binding, NULL);
	if (!binding->name_len)
		return -EINVAL;
	if (binding->name_len >= NAME_MAX_LEN)
		return -ENAMETOOLONG;
	name = memdup_user_nul(u64_to_user_ptr(binding->name), binding->name_len);
	if (IS_ERR(name))
		return PTR_ERR(name);
	error = strlen(name) == binding->name_len ?
		kcatch_session_bind(session, binding, name) : -EINVAL;
	kfree(name);
	return error;
}

static long do_bind(struct kcatch_session *session, void __user *user)
{
	struct kcatch_binding binding;
	struct kcatch_bind bind;
	int error = 0;

	if (copy_from_user(&bind, user, sizeof(bind)))
		return -EFAULT;
	for (bind.done = 0; !error && bind.done < bind.nr; bind.done += !error) {
		if (copy_from_user(&binding, u64_to_user_ptr(bind.bindings) +
				   (u64)bind.done * sizeof(binding), sizeof(binding)))
			error = -EFAULT;
		else if (signal_pending(current))
			error = -EINTR;
		else
			error = bind_one(session, &binding);
		cond_resched();
	}
	return copy_to_user(user, &bind, sizeof(bind)) ? -EFAULT : error;
}

static void device_describe(const struct kcatch_probe *probe, struct kcatch_probe_info *info)
{
	*info = (struct kcatch_probe_info) {
		.address = probe->mechanism == KCATCH_MECHANISM_EVENT ?
			   ((struct kcatch_ktrace_event *)probe->address)->id : probe->address,
		.group = probe->group->number,
		.offset = probe->offset, .mechanism = probe->mechanism,
		.flags = READ_ONCE(probe->flags) | (probe->returns ? KCATCH_PROBE_RETURN : 0),
		.target = probe->target,
		.program = probe->program ? probe->program->number : 0,
	};
}

/* Probe @done of those that a query asks for, or NULL. */
static struct kcatch_probe *probe_of(struct kcatch_session *session,
				     const struct kcatch_query *query, u32 done)
{
	u32 number = query->first + done;

	return done < query->count && number >= query->first ?
		       kcatch_session_probe(session, number) : NULL;
}

/* COUNTERS with KCATCH_QUERY_SUM: the locks are let go of now and then. */
static long do_sum(struct kcatch_session *session, void __user *user, struct kcatch_query *query)
{
	struct kcatch_counters sum = { .hits = 0 }, each;
	struct kcatch_probe *probe;
	u32 done = 0;

	do {
		mutex_lock(&session->lock);
		mutex_lock(&kcatch_sites_lock);
		do {
			probe = probe_of(session, query, done);
			if (!probe)
				break;
			kcatch_probe_count(probe, query->cpu, &each);
			kcatch_counters_add(&sum, &each);
		} while (++done % QUERY_CHUNK);
		mutex_unlock(&kcatch_sites_lock);
		mutex_unlock(&session->lock);
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	} while (probe);
	query->count = done;
	return copy_to_user(u64_to_user_ptr(query->buffer), &sum, sizeof(sum)) ||
	       copy_to_user(user, query, sizeof(*query)) ? -EFAULT : 0;
}

/* PROBES and COUNTERS: @size bytes each, written by chunks. */
static long do_query(struct kcatch_session *session, void __user *user, bool counters)
{
	const size_t size = counters ? sizeof(struct kcatch_counters) :
				       sizeof(struct kcatch_probe_info);
	struct kcatch_query query;
	void *chunk;
	u32 done = 0;
	long error = 0;

	if (copy_from_user(&query, user, sizeof(query)))
		return -EFAULT;
	if (query.flags & ~(counters ? KCATCH_QUERY_SUM : 0U) ||
	    (counters ? query.cpu != KCATCH_CPU_ALL &&
	    (query.cpu >= nr_cpu_ids || !cpu_possible(query.cpu)) : query.cpu))
		return -EINVAL;
	if (query.flags & KCATCH_QUERY_SUM)
		return do_sum(session, user, &query);
	chunk = kmalloc_array(QUERY_CHUNK, size, GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	while (!error && done < query.count) {
		u32 nr = 0;

		mutex_lock(&session->lock);
		if (counters)
			mutex_lock(&kcatch_sites_lock);
		for (; nr < QUERY_CHUNK; nr++) {
			struct kcatch_probe *probe = probe_of(session, &query, done + nr);

			if (!probe)
				break;
			if (counters)
				kcatch_probe_count(probe, query.cpu, chunk + nr * size);
			else
				device_describe(probe, chunk + nr * size);
		}
		if (counters)
			mutex_unlock(&kcatch_sites_lock);
		mutex_unlock(&session->lock);
		if (nr && copy_to_user(u64_to_user_ptr(query.buffer) + done * size, chunk,
				       nr * size))
			error = -EFAULT;
		done += nr;
		if (nr < QUERY_CHUNK)
			break;
		cond_resched();
		if (fatal_signal_pending(current))
			error = -EINTR;
	}
	kfree(chunk);
	query.count = done;
	if (!error && copy_to_user(user, &query, sizeof(query)))
		error = -EFAULT;
	return error;
}

static long get_status(struct kcatch_session *session, void __user *user)
{
	struct kcatch_status status = { .running = 0 };

	kcatch_guard_look();
	mutex_lock(&session->lock);
	kcatch_session_look_at_hooks(session);
	status.nr_disarmed = READ_ONCE(session->nr_disarmed);
	status.running = session->running;
	status.nr_probes = session->nr_probes;
	status.nr_ftrace = session->nr_ftrace;
	status.nr_unarmed = session->nr_unarmed;
	status.nr_died = atomic_read(&session->nr_died);
	status.nr_attached = READ_ONCE(session->nr_attached);
	status.nr_rings = READ_ONCE(session->nr_rings);
	status.frozen = kcatch_output_frozen(&session->output);
	if (status.frozen) {
		status.frozen_probe = session->output.frozen_probe;
		status.frozen_at = session->output.frozen_at;
	}
	if (session->ready)
		status.ring_bytes = status.nr_rings * kcatch_ring_bytes(&session->setup);
	mutex_unlock(&session->lock);
	return copy_to_user(user, &status, sizeof(status)) ? -EFAULT : 0;
}

/* @user: a struct kcatch_symbol whose address is set. @reader: of many, or NULL. */
static long name_symbol(struct kcatch_session *session, struct kcatch_symbol __user *user,
			struct kcatch_naming *naming, struct kcatch_symbol_reader *reader)
{
	struct kcatch_symbol *symbol = &naming->symbol;

	memset(symbol, 0, sizeof(*symbol));
	if (get_user(symbol->address, &user->address))
		return -EFAULT;
	if (reader)
		kcatch_symbol_reader_read(reader, naming);
	else
		kcatch_symbol_read(naming);
	if (!symbol->name[0]) {
		mutex_lock(&session->lock);
		kcatch_names_find(session, symbol);
		mutex_unlock(&session->lock);
	}
	return copy_to_user(user, symbol, sizeof(*symbol)) ? -EFAULT : 0;
}

/* SYMBOL: one, whose struct is the argument itself. */
static long get_symbol(struct kcatch_session *session, void __user *user)
{
	struct kcatch_naming *naming = kmalloc(sizeof(*naming), GFP_KERNEL);
	long error = naming ? name_symbol(session, user, naming, NULL) : -ENOMEM;

	kfree(naming);
	return error;
}

/* SYMBOL_THEN: as it was at the time of a record. */
static long get_symbol_then(struct kcatch_session *session, void __user *user)
{
	struct kcatch_symbol_then __user *then = user;
	struct kcatch_naming *naming = NULL;
	struct kcatch_symbol_then head;
	struct kcatch_symbol *symbol;
	struct kcatch_probe *probe;
	long error = 0;
	u64 changed;
	bool found;

	if (copy_from_user(&head, user, offsetofend(struct kcatch_symbol_then, symbol.address)))
		return -EFAULT;
	if (head.flags & ~KCATCH_SYMBOL_OF_PROBE)
		return -EINVAL;
	naming = kzalloc(sizeof(*naming), GFP_KERNEL);
	if (!naming)
		return -ENOMEM;
	symbol = &naming->symbol;
	symbol->address = head.symbol.address;
	mutex_lock(&session->lock);
	if (head.flags & KCATCH_SYMBOL_OF_PROBE) {
		probe = kcatch_session_probe(session, head.probe);
		error = probe ? 0 : -EINVAL;
		symbol->address = probe ? probe->address : 0;
		head.time = probe ? kcatch_session_probe_since(session, head.probe) : 0;
	}
	found = !error && kcatch_names_find_then(session, symbol, head.time);
	changed = session->changed;
	mutex_unlock(&session->lock);
	if (!error && !found) {
		kcatch_symbol_read(naming);
		mutex_lock(&session->lock);
		if (symbol->module[0] && kcatch_names_came_later(session, symbol, head.time)) {
			symbol->name[0] = 0;
			symbol->module[0] = 0;
		}
		mutex_unlock(&session->lock);
	}
	if (!error && (copy_to_user(&then->symbol, symbol, sizeof(*symbol)) ||
		       put_user(changed, &then->time)))
		error = -EFAULT;
	kfree(naming);
	return error;
}

/* Thousands of names are asked for in several calls, each of which goes on where the last one
 * ended: takes the session's reader, which is zeroed meanwhile. */
static void take_reader(struct kcatch_session *session, struct kcatch_symbol_reader *reader)
{
	mutex_lock(&session->lock);
	swap(session->reader, *reader);
	mutex_unlock(&session->lock);
}

static long get_symbols(struct kcatch_session *session, void __user *user)
{
	struct kcatch_symbol_reader reader = { .names = NULL };
	struct kcatch_symbol __user *symbols;
	struct kcatch_naming *naming;
	struct kcatch_query query;
	long error = 0;
	bool many;
	u32 i;

	if (copy_from_user(&query, user, sizeof(query)))
		return -EFAULT;
	if (query.first || query.cpu || query.flags)
		return -EINVAL;
	naming = kmalloc(sizeof(*naming), GFP_KERNEL);
	if (!naming)
		return -ENOMEM;
	many = query.count >= MANY_NAMES;
	if (many)
		take_reader(session, &reader);
	symbols = u64_to_user_ptr(query.buffer);
	for (i = 0; !error && i < query.count; i++) {
		error = name_symbol(session, &symbols[i], naming, many ? &reader : NULL);
		if (!error && fatal_signal_pending(current))
			error = -EINTR;
		cond_resched();
	}
	/* Back to the session; what another call has put there meanwhile is freed. */
	if (many)
		take_reader(session, &reader);
	kcatch_symbol_reader_deinit(&reader);
	kfree(naming);
	return error;
}

/* EVENTS: by chunks of one, for they are large and few. */
static long do_events(void __user *user)
{
	struct kcatch_event_info *info;
	struct kcatch_query query;
	u32 done = 0;
	long error = 0;

	if (copy_from_user(&query, user, sizeof(query)))
		return -EFAULT;
	if (query.flags || query.cpu)
		return -EINVAL;
	info = kmalloc(sizeof(*info), GFP_KERNEL);
	if (!info)
		return -ENOMEM;
	for (; !error && done < query.count && query.first + done >= query.first; done++) {
		struct kcatch_ktrace_event *event = kcatch_ktrace_event_of(query.first + done);

		if (!event)
			break;
		kcatch_ktrace_event_describe(event, info);
		if (copy_to_user(u64_to_user_ptr(query.buffer) + (u64)done * sizeof(*info), info,
				 sizeof(*info)))
			error = -EFAULT;
		cond_resched();
	}
	kfree(info);
	query.count = done;
	if (!error && copy_to_user(user, &query, sizeof(query)))
		error = -EFAULT;
	return error;
}

static long list_tasks(void __user *user)
{
	struct kcatch_tasks tasks;
	int error;

	if (copy_from_user(&tasks, user, sizeof(tasks)))
		return -EFAULT;
	error = kcatch_tasks_list(&tasks);
	if (!error && copy_to_user(user, &tasks, sizeof(tasks)))
		error = -EFAULT;
	return error;
}

static long read_memory(void __user *user)
{
	struct kcatch_read read;

	if (copy_from_user(&read, user, sizeof(read)))
		return -EFAULT;
	return kcatch_tasks_read(&read);
}

static long do_table(struct kcatch_session *session, void __user *user)
{
	struct kcatch_new_table table;
	int error;

	if (copy_from_user(&table, user, sizeof(table)))
		return -EFAULT;
	error = kcatch_count_table_create(session, &table);
	/* A table nobody was told of goes with the session. */
	if (!error && copy_to_user(user, &table, sizeof(table)))
		error = -EFAULT;
	return error;
}

static long do_count(struct kcatch_session *session, void __user *user)
{
	struct kcatch_count count;

	if (copy_from_user(&count, user, sizeof(count)))
		return -EFAULT;
	return kcatch_count_program(session, &count);
}

static long do_swap(struct kcatch_session *session, void __user *user)
{
	struct kcatch_swap swap;

	if (copy_from_user(&swap, user, sizeof(swap)))
		return -EFAULT;
	return swap.reserved ? -EINVAL : kcatch_count_swap(session, swap.table);
}

static long do_rows(struct kcatch_session *session, void __user *user)
{
	struct kcatch_rows rows;
	int error;

	if (copy_from_user(&rows, user, sizeof(rows)))
		return -EFAULT;
	/* Keys of rows are what records have. */
	error = kcatch_may_read();
	if (!error)
		error = kcatch_count_rows(session, &rows);
	if (!error && copy_to_user(user, &rows, sizeof(rows)))
		error = -EFAULT;
	return error;
}

static long do_pairs(struct kcatch_session *session, void __user *user)
{
	struct kcatch_new_pairs pairs;

	if (copy_from_user(&pairs, user, sizeof(pairs)))
		return -EFAULT;
	return kcatch_pairs_create(session, &pairs);
}

static long do_pair(struct kcatch_session *session, void __user *user)
{
	struct kcatch_pair pair;

	if (copy_from_user(&pair, user, sizeof(pair)))
		return -EFAULT;
	return kcatch_pairs_program(session, &pair);
}

static long get_paired(struct kcatch_session *session, void __user *user)
{
	struct kcatch_pair_counts counts;
	int error = kcatch_pairs_count(session, &counts);

	if (!error && copy_to_user(user, &counts, sizeof(counts)))
		error = -EFAULT;
	return error;
}

static long get_under_way(struct kcatch_session *session, void __user *user)
{
	struct kcatch_under_way calls;
	int error;

	if (copy_from_user(&calls, user, sizeof(calls)))
		return -EFAULT;
	error = kcatch_under_way(session, &calls);
	if (!error && copy_to_user(user, &calls, sizeof(calls)))
		error = -EFAULT;
	return error;
}

/*
 * Does the call reach more of the kernel than what was armed? Then its caller needs the
 * permission, as a descriptor may have been passed on or inherited, and the kernel may have
 * been locked down since it was opened.
 */
static bool needs_permission(unsigned int command)
{
	switch (command) {
	case KCATCH_IOC_SETUP:
	case KCATCH_IOC_ADD:
	case KCATCH_IOC_PROGRAM:
	case KCATCH_IOC_BIND:
	case KCATCH_IOC_START:
	case KCATCH_IOC_SYMBOL:
	case KCATCH_IOC_SYMBOLS:
	case KCATCH_IOC_SYMBOL_THEN:
	case KCATCH_IOC_TASKS:
	case KCATCH_IOC_READ:
	case KCATCH_IOC_TABLE:
	case KCATCH_IOC_COUNT:
	case KCATCH_IOC_PAIRS:
	case KCATCH_IOC_PAIR:
		return true;
	}
	return false;
}

static long kcatch_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct kcatch_session *session = file->private_data;
	void __user *user = (void __user *)argument;
	int error = needs_permission(command) ? kcatch_may_trace() : 0;

	if (!error && command == KCATCH_IOC_STOP && kcatch_robust_is_hurt())
		error = -EIO;
	if (error)
		return error;
	switch (command) {
	case KCATCH_IOC_INFO:
		return get_info(user);
	case KCATCH_IOC_SETUP:
		return do_setup(session, user);
	case KCATCH_IOC_ADD:
		return do_add(session, user);
	case KCATCH_IOC_START:
		return kcatch_session_start(session);
	case KCATCH_IOC_STOP:
		return kcatch_session_stop(session);
	case KCATCH_IOC_PROBES:
		return do_query(session, user, false);
	case KCATCH_IOC_COUNTERS:
		return do_query(session, user, true);
	case KCATCH_IOC_STATUS:
		return get_status(session, user);
	case KCATCH_IOC_SYMBOL:
		return get_symbol(session, user);
	case KCATCH_IOC_SYMBOLS:
		return get_symbols(session, user);
	case KCATCH_IOC_SYMBOL_THEN:
		return get_symbol_then(session, user);
	case KCATCH_IOC_PROGRAM:
		return do_program(session, user);
	case KCATCH_IOC_BIND:
		return do_bind(session, user);
	case KCATCH_IOC_EVENTS:
		return do_events(user);
	case KCATCH_IOC_TASKS:
		return list_tasks(user);
	case KCATCH_IOC_READ:
		return read_memory(user);
	case KCATCH_IOC_TABLE:
		return do_table(session, user);
	case KCATCH_IOC_COUNT:
		return do_count(session, user);
	case KCATCH_IOC_PAIRS:
		return do_pairs(session, user);
	case KCATCH_IOC_PAIR:
		return do_pair(session, user);
	case KCATCH_IOC_PAIRED:
		return get_paired(session, user);
	case KCATCH_IOC_UNDER_WAY:
		return get_under_way(session, user);
	case KCATCH_IOC_SWAP:
		return do_swap(session, user);
	case KCATCH_IOC_ROWS:
		return do_rows(session, user);
	}
	return -ENOTTY;
}

static __poll_t kcatch_poll(struct file *file, poll_table *wait)
{
	struct kcatch_session *session = file->private_data;

	poll_wait(file, &session->output.wait, wait);
	return kcatch_session_readable(session);
}

static int kcatch_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct kcatch_session *session = file->private_data;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	bool consumer = offset & KCATCH_MMAP_CONSUMER(0);
	u64 cpu = offset >> 32;
	struct kcatch_ring *ring;
	int error = kcatch_may_read();

	if (error)
		return error;
	/* Not VM_SHARED: the kernel clears it for a descriptor that was opened only to read. */
	if ((u32)offset & ~(u32)KCATCH_MMAP_CONSUMER(0) || !(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -ENXIO;
	ring = kcatch_session_ring(session, cpu);
	if (!ring)
		return -ENXIO;
	return kcatch_ring_map(ring, vma, consumer);
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = kcatch_open,
	.release = kcatch_release,
	.unlocked_ioctl = kcatch_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.poll = kcatch_poll,
	.mmap = kcatch_mmap,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "kcatch",
	.fops = &operations,
	.mode = 0600,
};

int kcatch_device_init(void)
{
	return misc_register(&device);
}

void kcatch_device_exit(void)
{
	misc_deregister(&device);
}
