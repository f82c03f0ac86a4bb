/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* summaries.c - summaries: short texts for well-known structs */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "fetch/packet.h"
#include "fetch/summaries.h"

#define ADDRESS_SIZE 28		/* bytes of a struct sockaddr_in6 */
#define UNIX_NAME_SIZE  107        /* bytes of the longest abstract name; others have one more */
#define NAME_SIZE 32		/* most bytes of a name in an array; 16 is usual */
#define CHARS_SIZE	16	/* bytes of an array up to which whole words are fetched */

/* clang-format off: a table */
#define NAMED(type, member)                                   \
	{                                                     \
		type, "%1",                                   \
		{                                             \
			{                                     \
				member, KCATCH_SUMMARY_STRING \
			}                                     \
		}                                             \
	}

#define SPACE(type, kind, member)                             \
	{                                                     \
		type, kind ":[%1]",                           \
		{                                             \
			{                                     \
				member, KCATCH_SUMMARY_NUMBER \
			}                                     \
		}                                             \
	}

#define FUNCTION(type, member)                                \
	{                                                     \
		type, "%1",                                   \
		{                                             \
			{                                     \
				member, KCATCH_SUMMARY_SYMBOL \
			}                                     \
		}                                             \
	}

/*
 * Of a page whose mapping is not that of the inode that it leads to, the word is something else: an
 * anonymous page's, a slab's.
 */
#define PAGE(type, index)                                                               \
	{                                                                               \
		type, "{ino=%1 on %2%5 }{index=%3%5 }refs=%4",                          \
		{                                                                       \
			{ "mapping->host->i_ino", KCATCH_SUMMARY_NUMBER },              \
				{ "mapping->host->i_sb->s_id", KCATCH_SUMMARY_STRING }, \
				{ index, KCATCH_SUMMARY_NUMBER },                       \
				{ "_refcount.counter", KCATCH_SUMMARY_NUMBER },         \
				{ "mapping->host->i_mapping", KCATCH_SUMMARY_SAME },    \
				{ "mapping", KCATCH_SUMMARY_HEX },                      \
		}                                                                       \
	}

#define PACKET(vlan, ...)                                                \
	{                                                                \
		"sk_buff", "{%3 }len=%1" vlan "{ dev=%2}",               \
		{                                                        \
			{ "len", KCATCH_SUMMARY_NUMBER },                \
				{ "dev->name", KCATCH_SUMMARY_STRING },  \
				{ "head", KCATCH_SUMMARY_PACKET },       \
				{ "network_header", KCATCH_SUMMARY_NUMBER }, \
				{ "mac_header", KCATCH_SUMMARY_NUMBER }, \
				{ "protocol", KCATCH_SUMMARY_NUMBER },   \
				{ "tail", KCATCH_SUMMARY_NUMBER },       \
				{ "vlan_proto", KCATCH_SUMMARY_VLAN },   \
				__VA_ARGS__                              \
		}                                                        \
	}

/* Of two rows of a type the second one holds where a kernel has all members that it names. */
static const struct kcatch_summary summaries[] = {
	/* files */
	{ "file", "%1", { { "f_path", KCATCH_SUMMARY_PATH } } },
	{ "path", "%1", { { "", KCATCH_SUMMARY_PATH } } },
	{ "dentry", "%1", { { "", KCATCH_SUMMARY_DENTRY } } },
	{ "kiocb", "%1", { { "ki_filp->f_path", KCATCH_SUMMARY_PATH } } },
	{ "qstr", "%1", { { "name", KCATCH_SUMMARY_COUNTED } } },
	{ "iov_iter",
	  "%1 left=%2",
	  { { "iter_type", KCATCH_SUMMARY_ITER }, { "count", KCATCH_SUMMARY_NUMBER } } },
	PAGE("folio", "index"),
	PAGE("page", "index"), /* before 6.16 */
	PAGE("page", "__folio_index"),
	{ "inode",
	  "ino=%1 on %2",
	  { { "i_ino", KCATCH_SUMMARY_NUMBER }, { "i_sb->s_id", KCATCH_SUMMARY_STRING } } },
	{ "address_space",
	  "ino=%1 on %2",
	  { { "host->i_ino", KCATCH_SUMMARY_NUMBER },
	    { "host->i_sb->s_id", KCATCH_SUMMARY_STRING } } },
	NAMED("filename", "name"),
	NAMED("linux_binprm", "filename"),
	NAMED("super_block", "s_id"),
	NAMED("vfsmount", "mnt_sb->s_id"),
	NAMED("file_system_type", "name"),
	NAMED("kernfs_node", "name"),
	NAMED("proc_dir_entry", "name"),
	NAMED("ctl_table", "procname"),

	/* block devices */
	NAMED("gendisk", "disk_name"),
	NAMED("block_device", "bd_device.kobj.name"),
	NAMED("request_queue", "disk->disk_name"),
	{ "bio",
	  "%1 sector=%2",
	  { { "bi_bdev->bd_device.kobj.name", KCATCH_SUMMARY_STRING },
	    { "bi_iter.bi_sector", KCATCH_SUMMARY_NUMBER } } },
	{ "request",
	  "%1 sector=%2",
	  { { "q->disk->disk_name", KCATCH_SUMMARY_STRING },
	    { "__sector", KCATCH_SUMMARY_NUMBER } } },

	/* processes and memory */
	{ "task_struct",
	  "%1(%2)",
	  { { "comm", KCATCH_SUMMARY_STRING }, { "pid", KCATCH_SUMMARY_NUMBER } } },
	{ "mm_struct",
	  "of %1(%2)",
	  { { "owner->comm", KCATCH_SUMMARY_STRING }, { "owner->pid", KCATCH_SUMMARY_NUMBER } } },
	{ "vm_area_struct",
	  "%1-%2{ %3}{ %4}",
	  { { "vm_start", KCATCH_SUMMARY_HEX },
	    { "vm_end", KCATCH_SUMMARY_HEX },
	    { "vm_flags", KCATCH_SUMMARY_MAPPED },
	    { "vm_file->f_path", KCATCH_SUMMARY_PATH } } },
	{ "cred",
	  "uid=%1 gid=%2",
	  { { "uid.val", KCATCH_SUMMARY_NUMBER }, { "gid.val", KCATCH_SUMMARY_NUMBER } } },
	NAMED("cgroup", "kn->name"),
	NAMED("kmem_cache", "name"),
	NAMED("workqueue_struct", "name"),
	FUNCTION("work_struct", "func"),
	FUNCTION("delayed_work", "work.func"),
	FUNCTION("irq_work", "func"),
	FUNCTION("timer_list", "function"),
	FUNCTION("hrtimer", "function"),

	/* namespaces, as /proc/PID/ns shows them */
	SPACE("net", "net", "ns.inum"),
	SPACE("mnt_namespace", "mnt", "ns.inum"),
	SPACE("pid_namespace", "pid", "ns.inum"),
	SPACE("ipc_namespace", "ipc", "ns.inum"),
	SPACE("uts_namespace", "uts", "ns.inum"),
	SPACE("user_namespace", "user", "ns.inum"),
	SPACE("cgroup_namespace", "cgroup", "ns.inum"),
	SPACE("time_namespace", "time", "ns.inum"),
	{ "nsproxy",
	  "net:[%1]{ mnt:[%2]}{ pid_for_children:[%3]}{ ipc:[%4]}{ uts:[%5]}{ cgroup:[%6]}",
	  { { "net_ns->ns.inum", KCATCH_SUMMARY_NUMBER },
	    { "mnt_ns->ns.inum", KCATCH_SUMMARY_NUMBER },
	    { "pid_ns_for_children->ns.inum", KCATCH_SUMMARY_NUMBER },
	    { "ipc_ns->ns.inum", KCATCH_SUMMARY_NUMBER },
	    { "uts_ns->ns.inum", KCATCH_SUMMARY_NUMBER },
	    { "cgroup_ns->ns.inum", KCATCH_SUMMARY_NUMBER } } },

	/* the network */
	PACKET("{ vlan=%8}", ),
	PACKET("{ vlan=%8%9}", { "vlan_present", KCATCH_SUMMARY_BIT }), /* before 6.2 */
	{ "msghdr", /* what a message is sent to; nothing is there yet where one is received */
	  "left=%1{ to %2%3}{ flags=%4}",
	  { { "msg_iter.count", KCATCH_SUMMARY_NUMBER },
	    { "msg_name", KCATCH_SUMMARY_NAME },
	    { "msg_iter.data_source", KCATCH_SUMMARY_IF },
	    { "msg_flags", KCATCH_SUMMARY_MESSAGE } } },
	{ "sockaddr", "%1", { { "", KCATCH_SUMMARY_ADDRESS } } },
	{ "sockaddr_unsized", "%1", { { "", KCATCH_SUMMARY_ADDRESS } } }, /* from 6.19 on */
	{ "sockaddr_in", "%1", { { "", KCATCH_SUMMARY_ADDRESS } } },
	{ "sockaddr_in6", "%1", { { "", KCATCH_SUMMARY_ADDRESS } } },
	{ "sockaddr_un", "%1", { { "", KCATCH_SUMMARY_ADDRESS } } },
	{ "__kernel_sockaddr_storage", "%1", { { "", KCATCH_SUMMARY_ADDRESS } } },
	{ "sock", "%1", { { "", KCATCH_SUMMARY_SOCK } } },
	{ "socket", "%1", { { "sk->__sk_common", KCATCH_SUMMARY_SOCK } } },
	NAMED("net_device", "name"),
	{ "dst_entry", "dev=%1", { { "dev->name", KCATCH_SUMMARY_STRING } } },
	{ "neighbour", "dev=%1", { { "dev->name", KCATCH_SUMMARY_STRING } } },
	{ "napi_struct", "dev=%1", { { "dev->name", KCATCH_SUMMARY_STRING } } },
	{ "Qdisc",
	  "%1 dev=%2",
	  { { "ops->id", KCATCH_SUMMARY_STRING },
	    { "dev_queue->dev->name", KCATCH_SUMMARY_STRING } } },

	/* devices and modules */
	NAMED("device", "kobj.name"),
	NAMED("pci_dev", "dev.kobj.name"),
	NAMED("platform_device", "dev.kobj.name"),
	NAMED("device_driver", "name"),
	NAMED("kobject", "name"),
	NAMED("module", "name"),
	NAMED("irqaction", "name"),
	NAMED("clocksource", "name"),
	NAMED("tracepoint", "name"),
};
/* clang-format on */

/* Follow the pointer at the part's offset. */
static int hop(struct kcatch_summary_part *part)
{
	if (part->item.nr_hops == KCATCH_SUMMARY_HOPS)
		return -ENOENT;
	part->hops[part->item.nr_hops++] = part->item.offset;
	part->item.offset = 0;
	return 0;
}

/*
 * Follow a path like "a.b->c" from a struct: adds a hop for each "->", and changes @type and
 * the part's offset to those of the last member. @is_bit: a bit-field is meant
 */
static int walk(const char *path, bool is_bit, struct kcatch_type *type,
		struct kcatch_summary_part *part)
{
	struct kcatch_member member;
	char name[32];

	while (*path) {
		size_t length = strcspn(path, ".-");

		if (length >= sizeof(name))
			return -ENOENT;
		memcpy(name, path, length);
		name[length] = '\0';
		if (kcatch_type_find(*type, name, &member) ||
		    (member.bit_size && (!is_bit || member.bit_offset % 8)) ||
		    member.bit_offset / 8 > INT32_MAX / 2)
			return -ENOENT;
		part->item.offset += (int32_t)(member.bit_offset / 8);
		*type = member.type;
		path += length;
		if (*path == '.') {
			path++;
		} else if (*path) {
			path += 2;
			if (!kcatch_type_is_pointer(*type) || hop(part))
				return -ENOENT;
			*type = kcatch_type_target(*type);
		}
	}
	return 0;
}

static int plan_string(struct kcatch_type type, struct kcatch_summary_part *part)
{
	int64_t size = kcatch_type_size(type);

	part->item.put = KCATCH_ITEM_STRING;
	if (kcatch_type_is_pointer(type))
		return hop(part);
	if (kcatch_type_kind(type) != BTF_KIND_ARRAY || size < 0)
		return -ENOENT;
	/* Size 0: a flexible array, a text of any length behind the struct. */
	part->fixed = size > NAME_SIZE ? NAME_SIZE : size;
	/* Copying whole words (a task's comm) is far faster than copying a text. */
	if (size && size <= CHARS_SIZE && !(size % 8))
		part->item.put = KCATCH_ITEM_MEMORY;
	return 0;
}

static int plan_number(int64_t size, struct kcatch_summary_part *part)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return -ENOENT;
	part->item.put = KCATCH_ITEM_WORD;
	part->item.size = (uint16_t)size;
	part->fixed = 8;
	return 0;
}

static int plan_counted(struct kcatch_type outer, const char *name,
			struct kcatch_summary_part *part)
{
	struct kcatch_member length;

	if (kcatch_type_find(outer, name, &length) || kcatch_type_size(length.type) != 4)
		return -ENOENT;
	part->length = length.bit_offset / 8;
	part->item.put = KCATCH_ITEM_BYTES;
	return hop(part);
}

/* From the network header to the end of the linear part: both are offsets from the head. */
static int plan_packet(struct kcatch_type outer, struct kcatch_summary_part *part)
{
	struct kcatch_member network;
	int ret = plan_counted(outer, "tail", part);

	if (ret || kcatch_type_find(outer, "network_header", &network) ||
	    kcatch_type_size(network.type) != 2)
		return -ENOENT;
	part->skip = network.bit_offset / 8;
	part->item.put = KCATCH_ITEM_MEMORY;
	part->fixed = KCATCH_PACKET_SIZE;
	return 0;
}

bool kcatch_summary_is_word(enum kcatch_summary_kind kind)
{
	return kind >= KCATCH_SUMMARY_NUMBER && kind <= KCATCH_SUMMARY_VLAN;
}

int kcatch_summary_plan(const struct kcatch_summary *summary, uint32_t index,
			struct kcatch_type type, struct kcatch_summary_part *part)
{
	struct kcatch_type outer = type;
	enum kcatch_summary_kind kind;

	*part = (struct kcatch_summary_part){ .length = -1, .skip = -1 };
	if (index >= KCATCH_SUMMARY_PARTS || summary->parts[index].kind == KCATCH_SUMMARY_END)
		return -ENOENT;
	kind = summary->parts[index].kind;
	if (walk(summary->parts[index].member, kind == KCATCH_SUMMARY_BIT, &type, part))
		return -ENOENT;
	switch (kind) {
	case KCATCH_SUMMARY_NUMBER:
	case KCATCH_SUMMARY_HEX:
	case KCATCH_SUMMARY_SYMBOL:
	case KCATCH_SUMMARY_MAPPED:
	case KCATCH_SUMMARY_MESSAGE:
	case KCATCH_SUMMARY_ITER:
	case KCATCH_SUMMARY_IF:
	case KCATCH_SUMMARY_SAME:
		return plan_number(kcatch_type_size(type), part);
	case KCATCH_SUMMARY_BIT:
		return plan_number(1, part);
	case KCATCH_SUMMARY_VLAN:
		return plan_number(4, part);
	case KCATCH_SUMMARY_STRING:
		return plan_string(type, part);
	case KCATCH_SUMMARY_COUNTED:
		return plan_counted(outer, "len", part);
	case KCATCH_SUMMARY_NAME:
		return plan_counted(outer, "msg_namelen", part);
	case KCATCH_SUMMARY_PACKET:
		return plan_packet(outer, part);
	case KCATCH_SUMMARY_PATH:
	case KCATCH_SUMMARY_DENTRY:
		part->item.put = kind == KCATCH_SUMMARY_PATH ? KCATCH_ITEM_PATH :
							       KCATCH_ITEM_DENTRY;
		return 0;
	case KCATCH_SUMMARY_ADDRESS:
	case KCATCH_SUMMARY_SOCK:
		/* A sock's addresses are at its beginning, which is fetched with the sock. */
		if (kind == KCATCH_SUMMARY_SOCK && !*summary->parts[index].member)
			return -ENOENT;
		part->fixed = kind == KCATCH_SUMMARY_SOCK ? KCATCH_SUMMARY_SOCK_SIZE : ADDRESS_SIZE;
		part->item.put = KCATCH_ITEM_MEMORY;
		return 0;
	case KCATCH_SUMMARY_END:
		break;
	}
	return -ENOENT;
}

/* Has this kernel all members that a row names? */
static bool has_all(const struct kcatch_summary *summary, struct kcatch_type type)
{
	struct kcatch_summary_part part;
	uint32_t i;

	for (i = 0; i < KCATCH_SUMMARY_PARTS && summary->parts[i].kind; i++)
		if (kcatch_summary_plan(summary, i, type, &part))
			return false;
	return true;
}

const struct kcatch_summary *kcatch_summary_find(struct kcatch_type type)
{
	const char *name = kcatch_type_name(kcatch_type_strip(type));
	const struct kcatch_summary *found = NULL;
	size_t i;

	if (!*name || kcatch_type_kind(type) != BTF_KIND_STRUCT)
		return NULL;
	for (i = 0; i < sizeof(summaries) / sizeof(summaries[0]); i++)
		if (!strcmp(summaries[i].type, name) && (!found || has_all(&summaries[i], type)))
			found = &summaries[i];
	return found;
}

static uint16_t host16(const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static uint16_t net16(const uint8_t *bytes)
{
	return ntohs(host16(bytes));
}

static size_t written(int length, size_t room)
{
	if (length < 0)
		return 0;
	return (size_t)length < room ? (size_t)length : room - 1;
}

/* Write an address and a port: "127.0.0.1:80", "[::1]:80". */
static size_t put_end(int family, const uint8_t *address, uint16_t port, char *text, size_t room)
{
	char name[INET6_ADDRSTRLEN];

	if (!inet_ntop(family, address, name, sizeof(name)))
		return 0;
	return written(snprintf(text, room, family == AF_INET6 ? "[%s]:%u" : "%s:%u", name, port),
		       room);
}

/*
 * Write the name of a local socket. One that begins with a null byte is abstract; it is written
 * with '@'. A name that goes on behind the bytes ends with "...".
 */
static size_t put_unix(const uint8_t *name, size_t size, char *text, size_t room)
{
	const char *abstract = size && !*name ? "@" : "", *more = "";

	if (!size)
		return 0;
	name += *abstract != '\0';
	size -= *abstract != '\0';
	if (size < UNIX_NAME_SIZE && strnlen((const char *)name, size) == size)
		more = "...";
	return written(snprintf(text, room, "unix:%s%.*s%s", abstract, (int)size, name, more),
		       room);
}

size_t kcatch_summary_address(const uint8_t *bytes, size_t size, char *text, size_t room)
{
	if (size < 2)
		return 0;
	switch (host16(bytes)) {
	case AF_INET:
		return size < 8 ? 0 : put_end(AF_INET, bytes + 4, net16(bytes + 2), text, room);
	case AF_INET6:
		return size < 24 ? 0 : put_end(AF_INET6, bytes + 8, net16(bytes + 2), text, room);
	case AF_UNIX:
		return put_unix(bytes + 2, size - 2, text, room);
	case AF_NETLINK:
		return written(snprintf(text, room, "netlink"), room);
	case AF_UNSPEC:
		return written(snprintf(text, room, "unspec"), room);
	}
	return written(snprintf(text, room, "family=%u", host16(bytes)), room);
}

/*
 * The layout of struct sock_common (include/net/sock.h) has not changed in ten years. Offsets in
 * bytes: 0 the peer's and 4 the own IPv4 address, 12 the peer's port (network byte order), 14 the
 * own port (host byte order), 16 the family, and, in a kernel with network namespaces, 56 the
 * peer's and 72 the own IPv6 address.
 */
size_t kcatch_summary_sock(const uint8_t *bytes, size_t size, char *text, size_t room)
{
	uint16_t family, peer_port, own_port;
	char peer[80], own[80];
	bool six;

	if (size < 18)
		return 0;
	peer_port = net16(bytes + 12);
	own_port = host16(bytes + 14);
	family = host16(bytes + 16);
	six = family == AF_INET6;
	if (family == AF_UNIX)
		return written(snprintf(text, room, "unix"), room);
	if (family == AF_NETLINK)
		return written(snprintf(text, room, "netlink"), room);
	if ((family != AF_INET && !six) || (six && size < KCATCH_SUMMARY_SOCK_SIZE))
		return written(snprintf(text, room, "family=%u", family), room);
	if (!put_end(family, bytes + (six ? 56 : 0), peer_port, peer, sizeof(peer)) ||
	    !put_end(family, bytes + (six ? 72 : 4), own_port, own, sizeof(own)))
		return 0;
	return written(snprintf(text, room, "%s -> %s", own, peer), room);
}
