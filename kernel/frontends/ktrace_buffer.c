// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs ktrace/buffers/cpuN: one CPU's ring as a file. Process context.
 *
 * All readers of a CPU share one position, the end of what was consumed. The writer does not look
 * at it and overwrites the oldest packets; a reader whose position was overwritten goes on at the
 * oldest packet that is left. A position from user space is compared with the ring's positions and
 * never used as an address.
 *
 * Memory: one packet for each read() and count under way.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <uapi/kcatch.h>
#include "arm/session.h"
#include "core/permission.h"
#include "frontends/ktrace.h"
#include "ring/ring_memory.h"

/**
 * struct buffer - what was read of one CPU's ring, by all who have its file open
 * @lock: protects the rest. No other lock is taken and no user memory is accessed while it is
 *	held, because loading a module may wait for it.
 * @consumed: position in the ring up to which records were read
 * @taken: number of events below @consumed that readers got
 * @discarded: the highest number of lost events that a packet told so far
 */
struct buffer {
	struct mutex lock;
	u64 consumed;
	u64 taken;
	u64 discarded;
};

static DEFINE_PER_CPU(struct buffer, buffers);

/* ---- positions ---------------------------------------------------------- */

static u64 buffer_oldest(const struct kcatch_ring *ring, u64 from)
{
	return max(from, READ_ONCE(ring->page->overwritten));
}

/*
 * Copies the packet that holds position @from, with its header, up to position @end.
 * Return: the position of the end of its content; 0: overwritten, or no content.
 */
static u64 copy_packet(const struct kcatch_ring *ring, u64 from, u64 end, void *to)
{
	u64 begin = from & ~ring->packet_mask, size = ring->packet_mask + 1;
	struct kcatch_packet *packet = to;

	if (from >= end)
		return 0;
	memcpy(to, ring->data + (begin & ring->size_mask), min(size, end - begin));
	/* Pairs with the writer's barrier, see ring/ring.h. */
	smp_rmb();
	if (READ_ONCE(ring->page->overwritten) > begin)
		return 0;
	if (end > begin + size) {
		u64 content = packet->content_size / 8;

		end = begin + clamp_t(u64, content, sizeof(*packet), size);
	}
	return end;
}

/* Counts records of a copied packet: from offset @at, below @end, together at most @room bytes.
 * Adds their number to @nr. Return: their size in bytes. */
static u32 count_records(const void *packet, u32 at, u32 end, u32 room, u64 *nr)
{
	u32 start = at;

	while (end - at >= sizeof(struct kcatch_record)) {
		const struct kcatch_record *record = packet + at;

		if (record->size < sizeof(*record) || record->size & 7 || record->size > end - at ||
		    at + record->size - start > room)
			break;
		at += record->size;
		++*nr;
	}
	return at - start;
}

/* The last of records that were counted: @size bytes from offset @at, not none. */
static const struct kcatch_record *last_record(const void *packet, u32 at, u32 size)
{
	const struct kcatch_record *record = packet + at;

	for (; record->size < size; record = packet + at) {
		at += record->size;
		size -= record->size;
	}
	return record;
}

/* Position @at, or behind the header if @at is the start of a packet. */
static u64 behind_header(const struct kcatch_ring *ring, u64 at)
{
	return at & ring->packet_mask ? at : at + sizeof(struct kcatch_packet);
}

/* Number of events between two positions, without those that were overwritten. */
static u64 count_events(const struct kcatch_ring *ring, u64 from, u64 to, void *packet)
{
	u64 size = ring->packet_mask + 1, nr = 0;

	for (from = buffer_oldest(ring, from); from < to;
	     from = (from & ~ring->packet_mask) + size) {
		u64 begin = from & ~ring->packet_mask, at = behind_header(ring, from);
		u64 end = copy_packet(ring, from, smp_load_acquire(&ring->page->produced), packet);

		end = min(end, to);
		if (end > at)
			count_records(packet, at - begin, end - begin, end - at, &nr);
		cond_resched();
	}
	return nr;
}

static void *packet_memory(const struct kcatch_ring *ring)
{
	return kvmalloc(ring->packet_mask + 1, GFP_KERNEL);
}

void kcatch_ktrace_buffers_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		mutex_init(&per_cpu_ptr(&buffers, cpu)->lock);
}

void kcatch_ktrace_buffers_forget(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct buffer *buffer = per_cpu_ptr(&buffers, cpu);

		mutex_lock(&buffer->lock);
		buffer->consumed = buffer->taken = buffer->discarded = 0;
		mutex_unlock(&buffer->lock);
	}
}

void kcatch_ktrace_buffers_reset(struct kcatch_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kcatch_ring *ring = kcatch_session_ring(session, cpu);
		struct buffer *buffer = per_cpu_ptr(&buffers, cpu);

		mutex_lock(&buffer->lock);
		buffer->taken = 0;
		if (ring)
			buffer->consumed = smp_load_acquire(&ring->page->produced);
		mutex_unlock(&buffer->lock);
	}
}

int kcatch_ktrace_buffers_count(struct kcatch_session *session, u64 *nr)
{
	void *packet = NULL;
	int cpu;

	*nr = 0;

	for_each_possible_cpu(cpu) {
		const struct kcatch_ring *ring = kcatch_session_ring(session, cpu);
		struct buffer *buffer = per_cpu_ptr(&buffers, cpu);

		if (ring && !packet)
			packet = packet_memory(ring);
		if (ring && !packet)
			return -ENOMEM;
		mutex_lock(&buffer->lock);
		*nr += buffer->taken;
		if (ring)
			*nr += count_events(ring, buffer->consumed,
					    smp_load_acquire(&ring->page->produced), packet);
		mutex_unlock(&buffer->lock);
	}
	kvfree(packet);
	return 0;
}

/* ---- the file ----------------------------------------------------------- */

/* An open file. */
struct opened {
	struct kcatch_session *session;
	unsigned int cpu;
};

static int buffer_open(struct inode *inode, struct file *file)
{
	struct opened *opened;
	int error = kcatch_may_trace();

	if (error)
		return error;
	opened = kzalloc(sizeof(*opened), GFP_KERNEL);
	if (!opened)
		return -ENOMEM;
	opened->cpu = (unsigned long)inode->i_private;
	error = kcatch_ktracefs_hold(&opened->session);
	if (error) {
		kfree(opened);
		return error;
	}
	file->private_data = opened;
	return nonseekable_open(inode, file);
}

/* No mapping is left, as each one holds the file. */
static int buffer_release(struct inode *inode, struct file *file)
{
	kcatch_ktracefs_drop();
	kfree(file->private_data);
	return 0;
}

static struct kcatch_ring *ring_of(const struct file *file)
{
	const struct opened *opened = file->private_data;

	return kcatch_session_ring(opened->session, opened->cpu);
}

static struct buffer *buffer_of(const struct file *file)
{
	return per_cpu_ptr(&buffers, ((const struct opened *)file->private_data)->cpu);
}

/**
 * struct part - the part of a packet that one read() returns
 * @from: struct buffer.consumed before
 * @to: struct buffer.consumed after
 * @at: offset of its first record in the copy of the packet
 * @size: bytes of records
 * @nr: number of records
 */
struct part {
	u64 from;
	u64 to;
	u32 at;
	u32 size;
	u64 nr;
};

/* Copies the packet with the first record that was not read, and finds the part to return. Return:
 * 0; -ENODATA: all was read; -EINVAL: @room is too small for one record */
static int find_part(const struct kcatch_ring *ring, struct buffer *buffer, size_t room,
		     void *packet, struct part *part)
{
	struct kcatch_packet *head = packet;
	u64 from, begin, at, lost, end = 0;
	bool closed;

	lockdep_assert_held(&buffer->lock);
	do {
		u64 produced = smp_load_acquire(&ring->page->produced);

		from = buffer_oldest(ring, buffer->consumed);
		if (from >= produced)
			return -ENODATA;
		begin = from & ~ring->packet_mask;
		at = behind_header(ring, from);
		closed = produced > begin + ring->packet_mask + 1;
		end = copy_packet(ring, from, produced, packet);
		if (end && end <= at) {	/* the rest of a packet that has no more records */
			buffer->consumed = begin + ring->packet_mask + 1;
			end = 0;
		}
	} while (!end);
	if (room < sizeof(*head))
		return -EINVAL;
	*part = (struct part) { .from = buffer->consumed, .at = at - begin };
	part->size = count_records(packet, part->at, end - begin,
				   min_t(u64, room - sizeof(*head), U32_MAX), &part->nr);
	if (!part->size)
		return -EINVAL;
	head->content_size = head->packet_size = (sizeof(*head) + part->size) * 8ULL;
	/* The writer may not have left the packet, and more of it may be read later. */
	head->timestamp_end = last_record(packet, part->at, part->size)->time;
	/* In a packet that the writer has not left it is that of the lap before. It never goes
	 * down: an event may be lost between the look at the packet and this one. */
	lost = closed ? head->discarded : READ_ONCE(ring->page->discarded);
	head->discarded = buffer->discarded = max(buffer->discarded, lost);
	part->to = at + part->size;
	/* The writer has begun another packet: go on there. */
	if (part->to == end &&
	    smp_load_acquire(&ring->page->produced) > begin + ring->packet_mask + 1)
		part->to = begin + ring->packet_mask + 1;
	return 0;
}

/* Marks a part as read. False: another reader got it meanwhile. */
static bool buffer_consume(struct buffer *buffer, const struct part *part)
{
	bool mine;

	mutex_lock(&buffer->lock);
	mine = buffer->consumed == part->from;
	if (mine) {
		buffer->consumed = part->to;
		buffer->taken += part->nr;
	}
	mutex_unlock(&buffer->lock);
	return mine;
}

/*
 * Writes the first part that was not read to user memory, as a packet of its own. Writing user
 * memory may take forever, so the lock is not held; if another reader got the part meanwhile, the
 * next one is written over it. Return: bytes; 0: all was read; -EINVAL; -EFAULT: nothing was
 * consumed
 */
static ssize_t read_packet(const struct kcatch_ring *ring, struct buffer *buffer,
			   char __user *user, size_t room, void *packet)
{
	const size_t head = sizeof(struct kcatch_packet);
	struct part part;
	int error;

	do {
		mutex_lock(&buffer->lock);
		error = find_part(ring, buffer, room, packet, &part);
		mutex_unlock(&buffer->lock);
		if (error)
			return error == -ENODATA ? 0 : error;
		if (copy_to_user(user, packet, head) ||
		    copy_to_user(user + head, packet + part.at, part.size))
			return -EFAULT;
	} while (!buffer_consume(buffer, &part));
	return head + part.size;
}

static ssize_t buffer_read(struct file *file, char __user *user, size_t size, loff_t *unused)
{
	const struct kcatch_ring *ring = ring_of(file);
	ssize_t done = 0, got;
	int error = kcatch_may_read();
	void *packet;

	if (error || !ring || !size)
		return error;
	packet = packet_memory(ring);
	if (!packet)
		return -ENOMEM;
	/* One packet also while a signal waits, which would end each try otherwise. */
	do {
		got = read_packet(ring, buffer_of(file), user + done, size - done, packet);
		if (got > 0)
			done += got;
	} while (got > 0 && done < size && !signal_pending(current));
	kvfree(packet);
	return done ?: got;
}

static __poll_t buffer_poll(struct file *file, poll_table *wait)
{
	const struct opened *opened = file->private_data;
	const struct kcatch_ring *ring = ring_of(file);
	u64 produced, from;

	poll_wait(file, &opened->session->output.wait, wait);
	if (!ring)
		return 0;
	produced = smp_load_acquire(&ring->page->produced);
	from = buffer_oldest(ring, READ_ONCE(buffer_of(file)->consumed));
	return (produced & ~ring->packet_mask) > (from & ~ring->packet_mask) ?
	       EPOLLIN | EPOLLRDNORM : 0;
}

/*
 * Does a record or a packet begin or end at @to? Elsewhere the next reader would take the middle of
 * a record for one. If the packet was overwritten, nothing is read there any more.
 */
static bool is_boundary(const struct kcatch_ring *ring, u64 to, void *packet)
{
	const u32 head = sizeof(struct kcatch_packet);
	u64 begin = to & ~ring->packet_mask, end, nr = 0;

	if (to == begin)
		return true;
	end = copy_packet(ring, begin, smp_load_acquire(&ring->page->produced), packet);
	/* Behind its content a packet has no more records. */
	if (!end || to >= end)
		return true;
	return to >= begin + head &&
	       count_records(packet, head, to - begin, to - begin - head, &nr) == to - begin - head;
}

static int put_consumed(const struct kcatch_ring *ring, struct buffer *buffer, u64 to)
{
	void *packet = packet_memory(ring);
	int error = 0;

	if (!packet)
		return -ENOMEM;
	mutex_lock(&buffer->lock);
	if (to < buffer->consumed || to > smp_load_acquire(&ring->page->produced) ||
	    to & 7 || !is_boundary(ring, to, packet)) {
		error = -EINVAL;
	} else {
		buffer->taken += count_events(ring, buffer->consumed, to, packet);
		buffer->consumed = to;
	}
	mutex_unlock(&buffer->lock);
	kvfree(packet);
	return error;
}

static long buffer_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	const struct kcatch_ring *ring = ring_of(file);
	u64 __user *user = (u64 __user *)argument;
	struct buffer *buffer;
	u64 value;

	if (!ring)
		return -ENXIO;	/* the CPU has not been here */
	switch (command) {
	case KCATCH_KTRACE_GET_SIZE:
		return put_user(ring->size_mask + 1, user);
	case KCATCH_KTRACE_GET_PRODUCED:
		return put_user(smp_load_acquire(&ring->page->produced), user);
	case KCATCH_KTRACE_GET_CONSUMED:
		buffer = buffer_of(file);
		mutex_lock(&buffer->lock);
		value = buffer_oldest(ring, buffer->consumed);
		mutex_unlock(&buffer->lock);
		return put_user(value, user);
	case KCATCH_KTRACE_PUT_CONSUMED:
		return get_user(value, user) ? -EFAULT : put_consumed(ring, buffer_of(file), value);
	}
	return -ENOTTY;
}

static int buffer_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct kcatch_ring *ring = ring_of(file);
	int error = kcatch_may_read();

	if (error)
		return error;
	if (!ring)
		return -ENXIO;
	if (vma->vm_pgoff)
		return -EINVAL;
	return kcatch_ring_map(ring, vma, false);
}

const struct file_operations kcatch_ktrace_buffer_operations = {
	.owner = THIS_MODULE,
	.open = buffer_open,
	.release = buffer_release,
	.read = buffer_read,
	.poll = buffer_poll,
	.unlocked_ioctl = buffer_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = buffer_mmap,
};
