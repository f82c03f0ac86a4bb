/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * event_fields.c - the table of the events' fields: what the kernel's own events record
 *
 * A row without an expression names events, and those below it are fields of each of them, under
 * the names of tracefs. An expression gives exactly what the kernel assigns (TP_fast_assign in
 * include/trace/events/ of the kernel's source), or there is no row: what the kernel computes by a
 * call of a function, or out of the clock, is not here. Rows of the same name are for different
 * releases: the first that a kernel's types have the members for is taken, and if that is only read
 * for who asks, another one is shown.
 * tests/guest/event_fields.sh compares them with tracefs.
 */
#include <string.h>

#include "condition/event_fields.h"
#include "constants/constant_sets.h"

/* clang-format off */
/* As show_softirq_name() of include/trace/events/irq.h has them. */
static const struct kcatch_constant softirqs[] = {
	{ "HI", 0 }, { "TIMER", 1 }, { "NET_TX", 2 }, { "NET_RX", 3 }, { "BLOCK", 4 },
	{ "IRQ_POLL", 5 }, { "TASKLET", 6 }, { "SCHED", 7 }, { "HRTIMER", 8 }, { "RCU", 9 },
	{ NULL, 0 },
};

static const struct kcatch_constants softirq_names = {
	.field = KCATCH_CONSTANT_VALUES, .values = softirqs,
};

#define EVENTS(names) { names, NULL, { 0 }, false }
#define FIELD(name, expression) { name, expression, { 0 }, false }
#define SHOWN(name, expression, how) { name, expression, { .kind = KCATCH_NUMBER_##how }, false }
#define NAMED(name, expression, set) { name, expression, { .constants = set }, false }
#define ASKED(name, expression) { name, expression, { 0 }, true }

#define TASK(task) FIELD("comm", task "->comm"), FIELD("pid", task "->pid")

/* The highest bit of what __task_state_index() tells of. */
#define BIT(states, bit)  "(" states " & " bit ") ? " bit " : "
#define HIGHEST(states)                                                                 \
	BIT(states, "64") BIT(states, "32") BIT(states, "16") BIT(states, "8")          \
	BIT(states, "4") BIT(states, "2") "(" states " & 1)"
#define STATE "preempt ? 256 : (prev_state & 0x9000) ? 2 : (prev_state & 0x402) == 0x402 ? 128 : "

#define DISK(disk)    disk "->major << 20 | " disk "->first_minor"
#define BIO_DISK      DISK("bio->bi_bdev->bd_disk")
#define REQUEST_DISK  "rq->q->disk ? " DISK("rq->q->disk") " : 0"
#define PASSED        "(rq->cmd_flags & 0xff) == 34 || (rq->cmd_flags & 0xff) == 35"

/* The operation, and the flags that letters stand for; that of atomic writes moves. */
#define RWBS(flags)                                                                           \
	SHOWN("rwbs", "(" flags " & 0xe18ff) | (" flags " >> __REQ_ATOMIC & 1) << 20", BLOCK_OP), \
	SHOWN("rwbs", flags " & 0xe18ff", BLOCK_OP)
#define REQUEST                                                                 \
	SHOWN("dev", REQUEST_DISK, DEVICE),                                     \
	FIELD("sector", PASSED " || rq->__sector == ~0ul ? 0 : rq->__sector"),  \
	FIELD("nr_sector", PASSED " ? 0 : rq->__data_len >> 9")
#define BIO                                                             \
	SHOWN("dev", BIO_DISK, DEVICE),                                 \
	FIELD("sector", "bio->bi_iter.bi_sector"),                      \
	FIELD("nr_sector", "bio->bi_iter.bi_size >> 9"),                \
	RWBS("bio->bi_opf")

/* A signal may come with a number in place of what a pointer leads to. */
#define SIGNAL(member, kernel) "(u64)info > 1 ? info->" member " : (u64)info ? " kernel " : 0"

#define PACKET                                            \
	FIELD("skbaddr", "skb"),                          \
	FIELD("queue_mapping", "skb->queue_mapping"),     \
	SHOWN("protocol", "skb->protocol", HEX),   \
	FIELD("ip_summed", "skb->ip_summed"),             \
	SHOWN("len", "skb->len", SIZE),                         \
	SHOWN("data_len", "skb->data_len", SIZE)

#define FAMILY NAMED("family", "sk->__sk_common.skc_family", &kcatch_constants_family)
#define PROTOCOL FIELD("protocol", "sk->sk_protocol")
#define PORTS                                                            \
	FIELD("sport", "((struct inet_sock *)sk)->inet_sport"),   \
	FIELD("dport", "sk->__sk_common.skc_dport")
#define ADDRESSES                                                        \
	SHOWN("saddr", "((struct inet_sock *)sk)->inet_saddr", IPV4),    \
	SHOWN("daddr", "sk->__sk_common.skc_daddr", IPV4)
/* An address of IPv6, or that which one of IPv4 (@four) is mapped to. */
#define EITHER(six, four) "sk->__sk_common.skc_family == 10 ? " six " : " four
#define SOURCE EITHER("sk->__sk_common.skc_v6_rcv_saddr", "((struct inet_sock *)sk)->inet_saddr")
#define DESTINATION EITHER("sk->__sk_common.skc_v6_daddr", "sk->__sk_common.skc_daddr")
#define ADDRESSES_V6 SHOWN("saddr_v6", SOURCE, IPV6), SHOWN("daddr_v6", DESTINATION, IPV6)

#define CGROUP(prefix, cgroup)                                  \
	FIELD(prefix "root", cgroup "->root->hierarchy_id"),    \
	FIELD(prefix "level", cgroup "->level"),                \
	FIELD(prefix "id", cgroup "->kn->id")

#define FILE_OF(mapping)                                                              \
	FIELD("i_ino", mapping "->host->i_ino"),                                      \
	SHOWN("s_dev", mapping "->host->i_sb ? " mapping "->host->i_sb->s_dev : "     \
	      mapping "->host->i_rdev", DEVICE)

#define FLOW(member) "flp->__fl_common.flowic_" member
#define FLOW_HAS_PORTS FLOW("proto") " == 6 || " FLOW("proto") " == 17 ? "

#define STATE_OF_INODE                                \
	SHOWN("state", "inode->i_state.__state", HEX), \
	SHOWN("state", "inode->i_state", HEX)

#define CGROUP_OF_WBC \
	FIELD("cgroup_ino", "wbc->wb ? wbc->wb->memcg_css->cgroup->kn->id : 1")

#define LOCK(member) "fl ? fl->" member " : 0"

static const struct kcatch_field_row table[] = {
	/* ---- tasks ---- */
	EVENTS("sched:sched_switch"),
	FIELD("prev_comm", "prev->comm"),
	FIELD("prev_pid", "prev->pid"),
	ASKED("prev_prio", "prev->prio"),
	{ "prev_state", STATE HIGHEST("(prev_state | prev->exit_state)"),
	  { .kind = KCATCH_NUMBER_TASK_STATE }, true },
	/* The module's hook for switches does not read how a thread ends: 512 is X or Z. */
	SHOWN("prev_state", STATE "prev_state & 128 ? 512 : " HIGHEST("prev_state"), TASK_STATE),
	FIELD("next_comm", "next->comm"),
	FIELD("next_pid", "next->pid"),
	ASKED("next_prio", "next->prio"),
	EVENTS("sched:sched_wakeup sched_waking sched_wakeup_new"),
	TASK("p"),
	FIELD("prio", "p->prio"),
	FIELD("target_cpu", "p->thread_info.cpu"),
	EVENTS("sched:sched_migrate_task"),
	TASK("p"),
	FIELD("prio", "p->prio"),
	FIELD("orig_cpu", "p->thread_info.cpu"),
	FIELD("dest_cpu", "dest_cpu"),
	EVENTS("sched:sched_process_free sched_process_exit sched_wait_task"),
	TASK("p"),
	FIELD("prio", "p->prio"),
	EVENTS("sched:sched_process_wait"),
	FIELD("comm", "current->comm"),
	FIELD("pid", "arg.pid ? arg.pid->numbers[0].nr : 0"),
	FIELD("prio", "current->prio"),
	EVENTS("sched:sched_process_fork"),
	FIELD("parent_comm", "parent->comm"),
	FIELD("parent_pid", "parent->pid"),
	FIELD("child_comm", "child->comm"),
	FIELD("child_pid", "child->pid"),
	EVENTS("sched:sched_process_exec"),
	FIELD("filename", "bprm->filename"),
	FIELD("pid", "p->pid"),
	FIELD("old_pid", "old_pid"),
	EVENTS("sched:sched_prepare_exec"),
	FIELD("interp", "bprm->interp"),
	FIELD("filename", "bprm->filename"),
	FIELD("pid", "task->pid"),
	FIELD("comm", "task->comm"),
	EVENTS("sched:sched_stat_wait sched_stat_sleep sched_stat_iowait sched_stat_blocked"),
	TASK("tsk"),
	SHOWN("delay", "delay", TIME),
	EVENTS("sched:sched_stat_runtime"),
	TASK("tsk"),
	SHOWN("runtime", "runtime", TIME),
	EVENTS("sched:sched_pi_setprio"),
	TASK("tsk"),
	FIELD("oldprio", "tsk->prio"),
	FIELD("newprio", "pi_task && pi_task->prio < tsk->normal_prio ? pi_task->prio : "
	      "tsk->normal_prio"),
	EVENTS("sched:sched_process_hang"),
	TASK("tsk"),
	EVENTS("sched:sched_kthread_stop"),
	TASK("t"),
	EVENTS("sched:sched_kthread_work_queue_work sched_kthread_work_execute_start"),
	FIELD("work", "work"),
	SHOWN("function", "work->func", SYMBOL),
	EVENTS("task:task_newtask"),
	FIELD("pid", "task->pid"),
	FIELD("comm", "task->comm"),
	FIELD("clone_flags", "clone_flags"),
	FIELD("oom_score_adj", "task->signal->oom_score_adj"),
	EVENTS("task:task_rename"),
	FIELD("pid", "task->pid"),
	FIELD("oldcomm", "task->comm"),
	FIELD("newcomm", "arg.comm"),
	FIELD("oom_score_adj", "task->signal->oom_score_adj"),
	EVENTS("oom:oom_score_adj_update"),
	FIELD("pid", "task->pid"),
	FIELD("comm", "task->comm"),
	FIELD("oom_score_adj", "task->signal->oom_score_adj"),
	EVENTS("signal:signal_generate"),
	FIELD("sig", "sig"),
	FIELD("errno", SIGNAL("si_errno", "0")),
	FIELD("code", SIGNAL("si_code", "128")),
	FIELD("comm", "task->comm"),
	FIELD("pid", "task->pid"),
	FIELD("group", "group"),
	FIELD("result", "result"),
	EVENTS("signal:signal_deliver"),
	FIELD("sig", "sig"),
	FIELD("errno", SIGNAL("si_errno", "0")),
	FIELD("code", SIGNAL("si_code", "128")),
	FIELD("sa_handler", "ka->sa.sa_handler"),
	SHOWN("sa_flags", "ka->sa.sa_flags", HEX),
	EVENTS("cgroup:cgroup_mkdir cgroup_rmdir cgroup_release cgroup_rename cgroup_freeze "
	       "cgroup_unfreeze cgroup_notify_populated cgroup_notify_frozen"),
	CGROUP("", "cgrp"),
	FIELD("path", "path"),
	EVENTS("cgroup:cgroup_rstat_lock_contended cgroup_rstat_locked cgroup_rstat_unlock"),
	CGROUP("", "cgrp"),
	FIELD("cpu", "cpu"),
	FIELD("contended", "contended"),
	EVENTS("cgroup:cgroup_attach_task cgroup_transfer_tasks"),
	CGROUP("dst_", "dst_cgrp"),
	FIELD("dst_path", "path"),
	FIELD("pid", "task->pid"),
	FIELD("comm", "task->comm"),

	/* ---- block devices and files ---- */
	EVENTS("block:block_rq_issue block_rq_insert block_rq_merge block_io_start block_io_done"),
	REQUEST,
	SHOWN("bytes", "rq->__data_len", SIZE),
	RWBS("rq->cmd_flags"),
	FIELD("comm", "current->comm"),
	EVENTS("block:block_rq_requeue"),
	REQUEST,
	RWBS("rq->cmd_flags"),
	EVENTS("block:block_rq_complete block_rq_error"),
	SHOWN("dev", REQUEST_DISK, DEVICE),
	FIELD("sector", "rq->__sector"),
	FIELD("nr_sector", "nr_bytes >> 9"),
	RWBS("rq->cmd_flags"),
	EVENTS("block:block_bio_queue block_bio_bounce block_bio_backmerge block_bio_frontmerge "
	       "block_getrq"),
	BIO,
	FIELD("comm", "current->comm"),
	EVENTS("block:block_bio_complete"),
	BIO,
	EVENTS("block:block_bio_remap"),
	BIO,
	SHOWN("old_dev", "dev", DEVICE),
	FIELD("old_sector", "from"),
	EVENTS("block:block_split"),
	SHOWN("dev", BIO_DISK, DEVICE),
	FIELD("sector", "bio->bi_iter.bi_sector"),
	FIELD("new_sector", "new_sector"),
	RWBS("bio->bi_opf"),
	FIELD("comm", "current->comm"),
	EVENTS("block:block_plug"),
	FIELD("comm", "current->comm"),
	EVENTS("block:block_unplug"),
	FIELD("nr_rq", "depth"),
	FIELD("comm", "current->comm"),
	EVENTS("block:block_touch_buffer block_dirty_buffer"),
	SHOWN("dev", "bh->b_bdev->bd_dev", DEVICE),
	FIELD("sector", "bh->b_blocknr"),
	SHOWN("size", "bh->b_size", SIZE),
	EVENTS("filemap:mm_filemap_add_to_page_cache mm_filemap_delete_from_page_cache"),
	FILE_OF("folio->mapping"),
	FIELD("index", "folio->index"),
	EVENTS("filemap:mm_filemap_get_pages mm_filemap_map_pages mm_filemap_fault"),
	FILE_OF("mapping"),
	FIELD("index", "index"),
	EVENTS("filemap:filemap_set_wb_err"),
	FILE_OF("mapping"),
	FIELD("errseq", "eseq"),
	EVENTS("writeback:writeback_dirty_folio folio_wait_writeback"),
	FIELD("ino", "mapping && mapping->host ? mapping->host->i_ino : 0"),
	FIELD("index", "folio->index"),
	EVENTS("writeback:writeback_mark_inode_dirty writeback_dirty_inode_start "
	       "writeback_dirty_inode"),
	FIELD("ino", "inode->i_ino"),
	STATE_OF_INODE,
	SHOWN("flags", "flags", HEX),
	EVENTS("writeback:writeback_dirty_inode_enqueue writeback_lazytime writeback_lazytime_iput "
	       "sb_mark_inode_writeback sb_clear_inode_writeback"),
	SHOWN("dev", "inode->i_sb->s_dev", DEVICE),
	FIELD("ino", "inode->i_ino"),
	STATE_OF_INODE,
	SHOWN("mode", "inode->i_mode", MODE),
	FIELD("dirtied_when", "inode->dirtied_when"),
	EVENTS("writeback:writeback_single_inode writeback_single_inode_start"),
	FIELD("ino", "inode->i_ino"),
	STATE_OF_INODE,
	FIELD("dirtied_when", "inode->dirtied_when"),
	FIELD("writeback_index", "inode->i_mapping->writeback_index"),
	FIELD("nr_to_write", "nr_to_write"),
	FIELD("wrote", "nr_to_write - wbc->nr_to_write"),
	CGROUP_OF_WBC,
	EVENTS("writeback:writeback_write_inode_start writeback_write_inode"),
	FIELD("ino", "inode->i_ino"),
	FIELD("sync_mode", "(int)wbc->sync_mode"),
	CGROUP_OF_WBC,
	EVENTS("writeback:writeback_queue writeback_exec writeback_start writeback_written "
	       "writeback_wait"),
	FIELD("nr_pages", "work->nr_pages"),
	SHOWN("sb_dev", "work->sb ? work->sb->s_dev : 0", DEVICE),
	FIELD("sync_mode", "(int)work->sync_mode"),
	FIELD("for_kupdate", "work->for_kupdate"),
	FIELD("range_cyclic", "work->range_cyclic"),
	FIELD("for_background", "work->for_background"),
	FIELD("reason", "(int)work->reason"),
	FIELD("cgroup_ino", "wb->memcg_css->cgroup->kn->id"),
	EVENTS("writeback:writeback_pages_written"),
	FIELD("pages", "pages_written"),

	EVENTS("filelock:locks_get_lock_context"),
	SHOWN("s_dev", "inode->i_sb->s_dev", DEVICE),
	FIELD("i_ino", "inode->i_ino"),
	FIELD("type", "type"),
	FIELD("ctx", "ctx"),
	EVENTS("filelock:posix_lock_inode flock_lock_inode"),
	FIELD("fl", "fl"),
	SHOWN("s_dev", "inode->i_sb->s_dev", DEVICE),
	FIELD("i_ino", "inode->i_ino"),
	FIELD("blocker", LOCK("c.flc_blocker")),
	FIELD("fl_blocker", LOCK("fl_blocker")),
	FIELD("owner", LOCK("c.flc_owner")),
	FIELD("fl_owner", LOCK("fl_owner")),
	FIELD("pid", LOCK("c.flc_pid")),
	FIELD("fl_pid", LOCK("fl_pid")),
	SHOWN("flags", LOCK("c.flc_flags"), HEX),
	SHOWN("fl_flags", LOCK("fl_flags"), HEX),
	FIELD("type", LOCK("c.flc_type")),
	FIELD("fl_type", LOCK("fl_type")),
	FIELD("fl_start", LOCK("fl_start")),
	FIELD("fl_end", LOCK("fl_end")),
	FIELD("ret", "arg.ret"),

	/* ---- interrupts, timers, work ---- */
	EVENTS("irq:irq_handler_entry"),
	FIELD("irq", "irq"),
	FIELD("name", "action->name"),
	EVENTS("irq:softirq_entry softirq_exit softirq_raise"),
	NAMED("vec", "vec_nr", &softirq_names),
	EVENTS("irq:tasklet_entry tasklet_exit"),
	FIELD("tasklet", "t"),
	SHOWN("func", "func", SYMBOL),
	EVENTS("timer:timer_start"),
	FIELD("timer", "timer"),
	SHOWN("function", "timer->function", SYMBOL),
	FIELD("expires", "arg.expires"),
	FIELD("expires", "timer->expires"),
	SHOWN("flags", "arg.flags", HEX),
	SHOWN("flags", "timer->flags", HEX),
	EVENTS("timer:timer_expire_entry"),
	FIELD("timer", "timer"),
	SHOWN("function", "timer->function", SYMBOL),
	FIELD("baseclk", "baseclk"),
	EVENTS("timer:hrtimer_start"),
	FIELD("hrtimer", "hrtimer"),
	SHOWN("function", "hrtimer->function", SYMBOL),
	FIELD("expires", "hrtimer->node.expires"),
	FIELD("softexpires", "hrtimer->_softexpires"),
	EVENTS("timer:hrtimer_expire_entry"),
	FIELD("hrtimer", "hrtimer"),
	FIELD("now", "*now"),
	FIELD("now", "now"),
	SHOWN("function", "hrtimer->function", SYMBOL),
	EVENTS("workqueue:workqueue_queue_work"),
	FIELD("work", "work"),
	SHOWN("function", "work->func", SYMBOL),
	FIELD("workqueue", "pwq->wq->name"),
	FIELD("req_cpu", "req_cpu"),
	FIELD("cpu", "pwq->pool->cpu"),
	EVENTS("workqueue:workqueue_activate_work workqueue_execute_start"),
	FIELD("work", "work"),
	SHOWN("function", "work->func", SYMBOL),
	EVENTS("power:cpu_frequency"),
	FIELD("state", "frequency"),
	FIELD("cpu_id", "cpu_id"),

	/* ---- the network ---- */
	EVENTS("net:net_dev_queue netif_receive_skb netif_rx"),
	FIELD("skbaddr", "skb"),
	SHOWN("len", "skb->len", SIZE),
	FIELD("name", "skb->dev->name"),
	EVENTS("net:net_dev_xmit"),
	FIELD("skbaddr", "skb"),
	SHOWN("len", "skb_len", SIZE),
	FIELD("rc", "rc"),
	FIELD("name", "dev->name"),
	EVENTS("net:net_dev_start_xmit"),
	FIELD("name", "dev->name"),
	PACKET,
	EVENTS("net:napi_gro_frags_entry napi_gro_receive_entry netif_receive_skb_entry "
	       "netif_receive_skb_list_entry netif_rx_entry"),
	FIELD("name", "skb->dev->name"),
	PACKET,
	SHOWN("truesize", "skb->truesize", SIZE),
	EVENTS("skb:kfree_skb"),
	FIELD("skbaddr", "skb"),
	SHOWN("location", "location", SYMBOL),
	SHOWN("protocol", "skb->protocol", HEX),
	EVENTS("skb:consume_skb"),
	FIELD("skbaddr", "skb"),
	SHOWN("location", "arg.location", SYMBOL),
	EVENTS("skb:skb_copy_datagram_iovec"),
	FIELD("skbaddr", "skb"),
	SHOWN("len", "len", SIZE),
	EVENTS("sock:inet_sock_set_state"),
	FIELD("skaddr", "sk"),
	NAMED("oldstate", "oldstate", &kcatch_constants_tcp_state),
	NAMED("newstate", "newstate", &kcatch_constants_tcp_state),
	FAMILY,
	PROTOCOL,
	PORTS,
	ADDRESSES,
	ADDRESSES_V6,
	EVENTS("sock:inet_sk_error_report"),
	FIELD("error", "sk->sk_err"),
	FAMILY,
	PROTOCOL,
	PORTS,
	ADDRESSES,
	ADDRESSES_V6,
	EVENTS("sock:sk_data_ready"),
	FIELD("skaddr", "sk"),
	FAMILY,
	PROTOCOL,
	EVENTS("sock:sock_send_length sock_recv_length"),
	FIELD("sk", "sk"),
	FAMILY,
	PROTOCOL,
	EVENTS("sock:sock_rcvqueue_full"),
	SHOWN("rmem_alloc", "sk->sk_backlog.rmem_alloc.counter", SIZE),
	SHOWN("truesize", "skb->truesize", SIZE),
	SHOWN("sk_rcvbuf", "sk->sk_rcvbuf", SIZE),
	EVENTS("tcp:tcp_retransmit_skb"),
	FIELD("skbaddr", "skb"),
	FIELD("skaddr", "sk"),
	NAMED("state", "sk->__sk_common.skc_state", &kcatch_constants_tcp_state),
	FAMILY,
	PORTS,
	ADDRESSES,
	ADDRESSES_V6,
	EVENTS("tcp:tcp_receive_reset tcp_destroy_sock tcp_rcv_space_adjust"),
	FIELD("skaddr", "sk"),
	FAMILY,
	PORTS,
	ADDRESSES,
	ADDRESSES_V6,
	EVENTS("tcp:tcp_cong_state_set"),
	FIELD("skaddr", "sk"),
	FAMILY,
	PORTS,
	ADDRESSES,
	ADDRESSES_V6,
	FIELD("cong_state", "ca_state"),
	EVENTS("tcp:tcp_sendmsg_locked"),
	FIELD("skb_addr", "skb"),
	SHOWN("skb_len", "skb ? skb->len : 0", SIZE),
	SHOWN("msg_left", "(int)msg->msg_iter.count", SIZE),
	SHOWN("size_goal", "size_goal", SIZE),
	EVENTS("fib:fib_table_lookup"),
	FIELD("tb_id", "tb_id"),
	FIELD("err", "err"),
	FIELD("oif", "flp->__fl_common.flowic_oif"),
	FIELD("iif", "flp->__fl_common.flowic_iif"),
	FIELD("proto", FLOW("proto")),
	FIELD("tos", FLOW("tos")),
	FIELD("tos", FLOW("dscp")),
	FIELD("scope", FLOW("scope")),
	SHOWN("flags", FLOW("flags"), HEX),
	SHOWN("src", "flp->saddr", IPV4),
	SHOWN("dst", "flp->daddr", IPV4),
	FIELD("sport", FLOW_HAS_PORTS "flp->uli.ports.sport : 0"),
	FIELD("dport", FLOW_HAS_PORTS "flp->uli.ports.dport : 0"),
	EVENTS("tcp:tcp_probe"),
	SHOWN("saddr", SOURCE, IP),
	SHOWN("daddr", DESTINATION, IP),
	FAMILY,
	PORTS,
	FIELD("mark", "skb->mark"),
	FIELD("data_len", "skb->len - ((struct tcphdr *)skb->data)->doff * 4 & 0xffff"),
	FIELD("snd_nxt", "((struct tcp_sock *)sk)->snd_nxt"),
	FIELD("snd_una", "((struct tcp_sock *)sk)->snd_una"),
	FIELD("snd_cwnd", "((struct tcp_sock *)sk)->snd_cwnd"),
	FIELD("snd_wnd", "((struct tcp_sock *)sk)->snd_wnd"),
	FIELD("rcv_wnd", "((struct tcp_sock *)sk)->rcv_wnd"),
	FIELD("srtt", "((struct tcp_sock *)sk)->srtt_us >> 3"),
	EVENTS("tcp:tcp_retransmit_synack"),
	FIELD("skaddr", "sk"),
	FIELD("req", "req"),
	FAMILY,
	FIELD("sport", "req->__req_common.skc_num"),
	FIELD("dport", "req->__req_common.skc_dport"),
	SHOWN("saddr", "req->__req_common.skc_rcv_saddr", IPV4),
	SHOWN("daddr", "req->__req_common.skc_daddr", IPV4),
	SHOWN("saddr_v6", EITHER("req->__req_common.skc_v6_rcv_saddr",
				 "req->__req_common.skc_rcv_saddr"), IPV6),
	SHOWN("daddr_v6", EITHER("req->__req_common.skc_v6_daddr", "req->__req_common.skc_daddr"),
	      IPV6),

	/* ---- memory and modules ---- */
	EVENTS("mmap:vm_unmapped_area"),
	FIELD("addr", "arg.addr"),
	FIELD("total_vm", "current->mm->total_vm"),
	SHOWN("flags", "info->flags", HEX),
	SHOWN("length", "info->length", SIZE),
	SHOWN("low_limit", "info->low_limit", HEX),
	SHOWN("high_limit", "info->high_limit", HEX),
	SHOWN("align_mask", "info->align_mask", HEX),
	FIELD("align_offset", "info->align_offset"),
	EVENTS("kmem:kmalloc kfree"),
	SHOWN("call_site", "call_site", SYMBOL),
	EVENTS("kmem:kmem_cache_alloc"),
	SHOWN("call_site", "call_site", SYMBOL),
	FIELD("name", "s->name"),
	SHOWN("bytes_req", "s->object_size", SIZE),
	SHOWN("bytes_alloc", "s->size", SIZE),
	EVENTS("kmem:kmem_cache_free"),
	SHOWN("call_site", "call_site", SYMBOL),
	FIELD("name", "s->name"),
	EVENTS("module:module_load"),
	SHOWN("taints", "mod->taints", HEX),
	FIELD("name", "mod->name"),
	EVENTS("module:module_free"),
	FIELD("name", "mod->name"),
	EVENTS("module:module_get module_put"),
	SHOWN("ip", "ip", SYMBOL),
	FIELD("refcnt", "mod->refcnt.counter"),
	FIELD("name", "mod->name"),

	{ NULL, NULL, { 0 }, false },
};
/* clang-format on */

/* Is the event one of "SYSTEM:NAME NAME"? */
static bool is_of(const char *event, const char *events)
{
	size_t system = strcspn(events, ":") + 1, length;
	const char *name;

	if (strncmp(event, events, system) != 0)
		return false;
	for (name = events + system; *name; name += length + (name[length] == ' ')) {
		length = strcspn(name, " ");
		if (!strncmp(event + system, name, length) && !event[system + length])
			return true;
	}
	return false;
}

const struct kcatch_field_row *kcatch_event_table(void)
{
	return table;
}

const struct kcatch_field_row *kcatch_event_rows(const char *event)
{
	const struct kcatch_field_row *row;

	for (row = event ? table : NULL; row && row->name; row++)
		if (!row->expression && is_of(event, row->name))
			return row + 1;
	return NULL;
}
