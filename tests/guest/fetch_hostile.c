// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: whatever address a system call is given, what is fetched from it is
 * what is there, or zeros and a bit that says so; nothing faults and nothing hangs. So it
 * is where the address is in memory, and where it is an argument itself.
 * Gate: older
 */
#include "guest.h"

#include <linux/filter.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALL 4096		/* so much can be read that no limit is met */
#define UNKNOWN (-1)		/* what is there is another's business */
/* Of x86-64 with five levels; with four it begins later (Documentation/x86/x86_64/mm.rst). */
#define KASAN_START 0xffdf000000000000
#define KASAN_END 0xfffffc0000000000

/* The call's own arguments are in struct pt_regs, to which it has a pointer. */
#define BUFFER_AT (13 * 8)
#define LENGTH_AT (12 * 8)
static const int32_t hops[] = { BUFFER_AT, 0 };
#define BEHIND(what, ...) ITEM(ARG, what, .nr_hops = 1, __VA_ARGS__)

#define KNOWN 12		/* bytes that are known of what is another's */
#define TEXT_SIZE 64
#define BYTES_SIZE 32
#define BYTES_LENGTH 40
#define CHARS_SIZE 16
#define BIG_PATH 512

enum item { WORD, LOADED, LOADED_BYTE, MEMORY, TEXT, BYTES, CHARS, DENTRY, PATH, ITEMS };

static const struct kcatch_item entry_items[] = {
	ITEM(ARG, WORD, .size = 8, .offset = BUFFER_AT),
	BEHIND(WORD, .size = 8),
	BEHIND(WORD, .size = 1),
	BEHIND(MEMORY, .size = 12),
	BEHIND(STRING, .size = TEXT_SIZE),
	ITEM(ARG, LENGTH, .size = 8, .offset = LENGTH_AT), BEHIND(BYTES, .size = BYTES_SIZE),
	BEHIND(CHARS, .size = CHARS_SIZE),
	BEHIND(DENTRY, .size = TEXT_SIZE),
	BEHIND(PATH, .size = BIG_PATH),
};

/* ksys_read() has the address as an argument: what is behind it is fetched without a hop. */
#define DIRECT(what, ...) ITEM(ARG, what, .index = 1, __VA_ARGS__)

static const struct kcatch_item direct_items[] = {
	DIRECT(VALUE),
	DIRECT(WORD, .size = 8),
	DIRECT(WORD, .size = 1),
	DIRECT(MEMORY, .size = 80),
	DIRECT(STRING, .size = TEXT_SIZE),
	ITEM(ARG, LENGTH, .index = 2), DIRECT(BYTES, .size = BYTES_SIZE),
	DIRECT(CHARS, .size = CHARS_SIZE),
	DIRECT(DENTRY, .size = TEXT_SIZE),
	DIRECT(PATH, .size = BIG_PATH),
};

/* A value, what it points to, and what that points to; and what offsets make of it. */
#define FOLLOWED(what, ...) DIRECT(what, .nr_hops = 1, .first_hop = 1, __VA_ARGS__)

static const struct kcatch_item onward_items[] = {
	DIRECT(VALUE), DIRECT(WORD, .size = 8), FOLLOWED(WORD, .size = 8), FOLLOWED(VALUE),
	FOLLOWED(VALUE, .offset = -8), DIRECT(MEMORY, .size = 8), DIRECT(VALUE, .offset = 8),
	DIRECT(VALUE, .offset = 16),
};
#define ONWARD 8

enum return_item { SAVED_WORD, SAVED_LOADED, RETURN_TEXT, MISSED_WORD, NR_RETURN_ITEMS };

static const struct kcatch_item return_items[] = {
	ITEM(SAVED, VALUE), ITEM(SAVED, VALUE, .start = 8),
	ITEM(SAVED, STRING, .size = TEXT_SIZE), ITEM(MISSED, VALUE, .index = 1),
};

static const struct kcatch_item direct_return_items[] = {
	ITEM(SAVED, VALUE), ITEM(SAVED, MEMORY, .size = 8),
	ITEM(SAVED, STRING, .size = TEXT_SIZE), ITEM(MISSED, VALUE, .index = 1),
};

/* One item as it came. */
struct part {
	uint32_t length;
	const uint8_t *bytes;
	bool fault, cut;
};

struct caught {
	bool entry, returned;
	struct part item[ITEMS], at_return[NR_RETURN_ITEMS];
	uint8_t data[2][KCATCH_DATA_MAX];
	uint32_t size[2];
};

static struct session session;
static uint32_t memory_size;	/* of the item MEMORY, bytes */
static int cpu;
static long page;
static bool has_shadow;

/* ---- reading what was caught ---- */

static bool take_item(struct part *part, const uint8_t *data, uint32_t size, uint32_t *at,
		      uint32_t fixed)
{
	part->length = fixed;
	if (!fixed) {
		if (*at + 8 > size)
			return false;
		memcpy(&part->length, data + *at, 4);
		*at += 8;
	}
	part->bytes = data + *at;
	*at += (part->length + 7) / 8 * 8;
	return part->length <= KCATCH_DATA_MAX && *at <= size;
}

static bool take_items(struct part *parts, const uint32_t *fixed, int nr, const uint8_t *data,
		       uint32_t size, uint64_t faults, uint64_t cut)
{
	uint32_t at = 0;
	int i;

	for (i = 0; i < nr; i++) {
		if (!take_item(&parts[i], data, size, &at, fixed[i]))
			return false;
		parts[i].fault = faults >> i & 1;
		parts[i].cut = cut >> i & 1;
	}
	return at == size && !(faults >> nr) && !(cut >> nr);
}

static void take_record(struct caught *caught, const struct kcatch_record *record)
{
	const uint32_t at_entry[ITEMS] = { 8, 8, 8, memory_size, 0, 0, CHARS_SIZE, 0, 0 };
	static const uint32_t at_return[NR_RETURN_ITEMS] = { 8, 8, 0, 8 };

	if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_ENTRY) {
		const struct kcatch_hit *hit = (const void *)record;
		const struct kcatch_call_part *part = (const void *)(hit->frames + hit->nr_frames);

		memcpy(caught->data[0], part->data, part->size[0]);
		if (part->size[0] > KCATCH_DATA_MAX ||
		    !take_items(caught->item, at_entry, ITEMS, caught->data[0], part->size[0],
				part->faults[0], part->cut[0]))
			bail("the items of an entry are those of its program");
		caught->entry = true;
	} else if (KCATCH_RECORD_KIND(record->id) == KCATCH_RECORD_RETURN) {
		const struct kcatch_return *back = (const void *)record;

		if (back->size > KCATCH_DATA_MAX)
			bail("a return has no more data than there may be");
		memcpy(caught->data[1], back->data, back->size);
		if (!take_items(caught->at_return, at_return, NR_RETURN_ITEMS, caught->data[1],
				back->size, back->faults, back->cut))
			bail("the items of a return are those of its program");
		caught->returned = true;
	} else {
		bail("records are of entries and returns");
	}
}

/* Takes all that is new in the ring of our CPU. */
static void take_new(struct caught *caught)
{
	const struct kcatch_ring_page *ring = session.ring[cpu];
	uint64_t produced = __atomic_load_n(&ring->produced, __ATOMIC_ACQUIRE);
	uint64_t at = session.position[cpu];

	while (at < produced) {
		uint64_t start = at & ~(uint64_t)(session.packet_size - 1);
		const char *base = (const char *)ring + page + (start & (session.ring_size - 1));
		uint64_t content = start + session.packet_size < produced ?
			((const struct kcatch_packet *)base)->content_size / 8 : produced - start;
		const struct kcatch_record *record;

		if (at == start)
			at += sizeof(struct kcatch_packet);
		if (at - start >= content) {
			at = start + session.packet_size;
			continue;
		}
		record = (const void *)(base + (at - start));
		take_record(caught, record);
		at += record->size;
	}
	session.position[cpu] = at;
	session.consumer[cpu]->consumed = at;
}

static struct caught *read_at(uint64_t address)
{
	static struct caught caught;

	memset(&caught, 0, sizeof(caught));
	syscall(SYS_read, -1, (void *)address, (size_t)BYTES_LENGTH);
	take_new(&caught);
	if (!caught.entry)
		bail("a read at 0x%llx is caught", (unsigned long long)address);
	return &caught;
}

/* ---- what it should be ---- */

static bool all_zero(const uint8_t *bytes, uint32_t length)
{
	while (length)
		if (bytes[--length])
			return false;
	return true;
}

static uint64_t value_of(const struct part *part)
{
	uint64_t value;

	memcpy(&value, part->bytes, 8);
	return value;
}

static bool wrong(uint64_t address, const char *what, const struct part *part)
{
	note("0x%llx: %s: length %u, fault %d, cut %d", (unsigned long long)address, what,
	     part->length, part->fault, part->cut);
	return false;
}

/* Fixed items: all there, or zeros and a fault. THERE: NULL when nobody knows it */
static bool memory_is_right(uint64_t address, const struct part *part, const char *what,
			    uint32_t size, int readable, const char *there)
{
	if (part->cut || (readable >= 0 && part->fault != (readable < (int)size)))
		return wrong(address, what, part);
	if (readable < 0 && size > KNOWN)
		size = KNOWN;
	if (part->fault ? !all_zero(part->bytes, part->length) :
			  there && memcmp(part->bytes, there, size))
		return wrong(address, what, part);
	return true;
}

static bool text_is_right(uint64_t address, const struct part *part, const char *what,
			  uint32_t most, int readable, const char *there)
{
	uint32_t length = readable < (int)most ? readable : (int)most;
	bool ended = strnlen(there, length) < length;

	if (ended)
		length = strnlen(there, length);
	if (part->length != length || memcmp(part->bytes, there, length) ||
	    part->fault != (!ended && readable < (int)most) ||
	    part->cut != (!ended && readable >= (int)most))
		return wrong(address, what, part);
	return true;
}

static bool is_right(uint64_t address, const struct caught *caught, int readable, const char *there)
{
	const struct part *item = caught->item, *bytes = &item[BYTES], *chars = &item[CHARS];
	bool right = true;
	int i;

	if (value_of(&item[WORD]) != address || item[WORD].fault)
		right = wrong(address, "the address itself", &item[WORD]);
	right &= memory_is_right(address, &item[LOADED], "a word", 8, readable, there);
	right &= memory_is_right(address, &item[LOADED_BYTE], "a byte", 1, readable, there);
	right &= memory_is_right(address, &item[MEMORY], "memory", memory_size, readable,
				 there);
	for (i = DENTRY; i <= PATH; i++)
		if (item[i].fault != !item[i].length || (item[i].fault && item[i].cut) ||
		    (!readable && item[i].length))
			right = wrong(address, "a path", &item[i]);
	if (readable < 0)
		return right;
	right &= text_is_right(address, &item[TEXT], "a string", TEXT_SIZE, readable, there);
	/* What could be read may be there, no more. */
	if (bytes->fault != (readable < BYTES_SIZE) || bytes->cut != !bytes->fault ||
	    (bytes->fault ? (int)bytes->length > readable : bytes->length != BYTES_SIZE) ||
	    memcmp(bytes->bytes, there, bytes->length))
		right = wrong(address, "bytes", bytes);
	i = strnlen(there, readable < CHARS_SIZE ? readable : CHARS_SIZE);
	if (chars->fault != (readable < CHARS_SIZE && i == readable) ||
	    memcmp(chars->bytes, there, i) || !all_zero(chars->bytes + i, CHARS_SIZE - i))
		right = wrong(address, "characters", chars);
	return right;
}

/* At ADDRESS, READABLE bytes can be read, and are THERE. */
static void expect(uint64_t address, int readable, const char *there, const char *text)
{
	check(is_right(address, read_at(address), readable, there), "%s", text);
}

/* ---- the cases ---- */

#define LIST(items) { .at = (uintptr_t)(items), .nr = sizeof(items) / sizeof(*(items)) }

static void start(const char *function, struct kcatch_list entry, struct kcatch_list at_return)
{
	const struct add_options options = {
		.flags = KCATCH_ADD_PID | KCATCH_ADD_NO_STACK | KCATCH_ADD_RETURN, .pid = getpid(),
	};
	struct kcatch_program program = { .entry = entry, .at_return = at_return,
					  .hops = LIST(hops) };

	session_open(&session, 65536, 4096);
	session_map(&session);
	if (session_add(&session, function, &options, NULL))
		bail("%s is armed", function);
	session_bind(&session, 0, &program);
	session_start(&session);
}

static void stop(void)
{
	struct kcatch_counters counters;

	session_stop(&session);
	session_counters(&session, 0, KCATCH_CPU_ALL, &counters);
	check(equation_holds(&counters), "the equation holds");
	check_equal(counters.lost + counters.return_lost, 0, "nothing was lost");
	session_close(&session);
}

/*
 * Nothing is at ADDRESS, unless it lies where KASAN keeps its shadow: from there to the end, a
 * debugging kernel with five levels of page tables has a page of zeros or more everywhere.
 */
static void expect_nothing(uint64_t address, const char *text)
{
	bool unknown = has_shadow && address >= KASAN_START && address < KASAN_END;

	expect(address, unknown ? UNKNOWN : 0, unknown ? NULL : "", text);
}

static uint64_t direct;		/* where the kernel maps all of memory; 0: not told */

static uint64_t direct_map(void)
{
	uint64_t start = 0;
	struct kcatch_read read = { .size = sizeof(start), .buffer = (uintptr_t)&start };
	int fd = device_open();

	if (lines_with("/proc/kallsyms", " page_offset_base") > 0)
		read.address = kernel_symbol("page_offset_base");
	if (read.address && ioctl(fd, KCATCH_IOC_READ, &read))
		bail("the start of the map of all memory is read");
	close(fd);
	return start;
}

static void no_adapters(void)
{
	if (!direct)
		return;
	expect(direct + 0xa0000, 0, "", "video memory in the map of all memory");
	expect(direct + 0xb8000, 0, "", "the text of the screen");
	expect(direct + 0xffff8, 0, "", "the last word of the ROM");
}

static void no_memory(void)
{
	no_adapters();
	expect(0, 0, "", "NULL");
	expect(8, 0, "", "a member of NULL");
	expect(0x0001000000000000, 0, "", "the first address that is not canonical");
	expect(0x0000800000000000, 0, "", "the first above user space");
	expect(0x00007ffffffff000, 0, "", "the hole at the end of user space");
	expect(0x7fffffffffffffff, 0, "", "the largest positive number");
	expect(0x8000000000000000, 0, "", "the smallest negative number");
	expect_nothing(0xffff7fffffffffff, "the last that is not canonical");
	expect_nothing(0xffff800000000000, "the start of the kernel's half");
	expect_nothing(0xffff888000000000 - 8, "below the map of all memory");
	expect_nothing(0xffff888000000000 - 4, "across its start");
	expect(0xffffffffff5fb000, 0, "", "a place where devices are mapped");
	expect(0xffffffffff5fc000, 0, "", "another");
	expect(0xffffffffff600000, 0, "", "the vsyscall page");
	expect(0xfffffffffffff000, 0, "", "an error number as a pointer");
	expect(-14, 0, "", "another");
	expect(-8, 0, "", "the last word of all");
	expect(-1, 0, "", "the last byte of all");
	expect(-4096 + 1, 0, "", "a word that is not aligned at the end of all");
}

/* No more than: the machine lives. */
static void anywhere(void)
{
	static const uint64_t bases[] = {
		0xffff888000000000, 0xffffc90000000000, 0xffffe8ffffffffff - 4, 0xffffea0000000000,
		0xffffea0000000000 + (1ULL << 39), 0xfffffc0000000000, 0xfffffe0000000000,
		0xffffff0000000000, 0xffffffef00000000, 0xffffffff00000000, 0xffffffff80000000,
		0xffffffffa0000000, 0xffffffffc0000000, 0xfffffffffeffffff - 4, 0xffffffffff000000,
	};
	int i, right = 0;

	for (i = 0; i < 15; i++)
		right += is_right(bases[i], read_at(bases[i]), UNKNOWN, NULL);
	check_equal(right, 15, "the borders of the kernel's areas");
	srandom(5);
	for (i = right = 0; i < 2000; i++) {
		uint64_t address = (uint64_t)random() << 33 ^ (uint64_t)random() << 11 ^ random();

		if (i % 4)
			address = address >> 17 | 0xffff800000000000;
		right += is_right(address, read_at(address), UNKNOWN, NULL);
	}
	check_equal(right, 2000, "addresses at random");
}

static void kernel_memory(uint64_t banner, uint64_t text)
{
	const struct caught *caught = read_at(banner);

	check(!caught->item[TEXT].fault && caught->item[TEXT].length == TEXT_SIZE &&
	      caught->item[TEXT].cut && !memcmp(caught->item[TEXT].bytes, "Linux version ", 14),
	      "the kernel's own text");
	check(!memcmp(caught->item[LOADED].bytes, "Linux ve", 8), "a word of it");
	check(value_of(&caught->item[LOADED_BYTE]) == 'L', "a byte of it");
	check(!memcmp(caught->item[CHARS].bytes, "Linux version ", 14), "characters of it");
	check(is_right(banner, caught, UNKNOWN, "Linux version "), "and all agree");
	caught = read_at(text);
	check(!caught->item[LOADED].fault && !caught->item[MEMORY].fault &&
	      !memcmp(caught->item[LOADED].bytes, caught->item[MEMORY].bytes, 8),
	      "code can be read as well");
}

static void user_memory(void)
{
	char *map = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
	char *end = map + page, *last;
	int i, right = 0;

	expect((uintptr_t)map + 2 * page, 0, "", "a page that was never touched");
	memset(map, 'x', page);
	mprotect(end, page, PROT_NONE);
	strcpy(map, "/some/where/else");
	expect((uintptr_t)map, ALL, map, "a string of user space");
	expect((uintptr_t)map + 1, ALL, map + 1, "one that is not aligned");
	memset(map + 200, 'y', 300);
	expect((uintptr_t)map + 200, ALL, map + 200, "a string without end is cut");
	map[300 + TEXT_SIZE] = 0;
	expect((uintptr_t)map + 300, ALL, map + 300, "one whose end mark is a byte too far");
	map[300 + TEXT_SIZE - 1] = 0;
	expect((uintptr_t)map + 300, ALL, map + 300, "one whose end mark is the last byte");
	expect((uintptr_t)map + 700 - 64, ALL, map + 700 - 64, "an unaligned end");
	map[640] = 0;
	expect((uintptr_t)map + 640, ALL, map + 640, "an empty string");
	expect((uintptr_t)end, 0, "", "a page without permission");
	/* Each place before the end of what can be read. */
	for (i = 1; i <= 80; i++)
		right += is_right((uintptr_t)end - i, read_at((uintptr_t)end - i), i, end - i);
	check_equal(right, 80, "what ends at a page without permission: what is before it is there");
	end[-1] = 0;
	for (i = 1, right = 0; i <= 80; i++)
		right += is_right((uintptr_t)end - i, read_at((uintptr_t)end - i), i, end - i);
	check_equal(right, 80, "strings that end at the end of a page are whole");
	mprotect(end, page, PROT_READ | PROT_WRITE);
	munmap(end, page);
	expect((uintptr_t)end, 0, "", "a page that is not mapped");
	munmap(map + 2 * page, 2 * page);

	last = mmap((void *)0x7fffffffe000, page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (last == (void *)0x7fffffffe000) {
		memset(last, 'z', page);
		expect(0x7fffffffeffc, 4, "zzzz", "the last bytes of user space");
		munmap(last, page);
	} else {
		expect(0x7fffffffeffc, 0, "", "the end of user space");
	}
	memset(map, 0, page);
}

static void at_return(void)
{
	char text[] = "user text";
	const struct caught *caught = read_at((uintptr_t)text);

	check(caught->returned, "returns are caught");
	check(value_of(&caught->at_return[SAVED_WORD]) == (uintptr_t)text &&
	      !caught->at_return[SAVED_WORD].fault, "a saved word is that of the entry");
	check(!memcmp(caught->at_return[SAVED_LOADED].bytes, "user tex", 8),
	      "so is one that was loaded");
	check(caught->at_return[RETURN_TEXT].length == 9 &&
	      !memcmp(caught->at_return[RETURN_TEXT].bytes, "user text", 9),
	      "a text can be read from it at the return");
	check(caught->at_return[MISSED_WORD].fault && !value_of(&caught->at_return[MISSED_WORD]),
	      "MISSED of what was read at the entry is faulty");
	caught = read_at(0x0001000000000000);
	check(caught->returned && !caught->at_return[SAVED_WORD].fault &&
		      caught->at_return[SAVED_LOADED].fault &&
		      !value_of(&caught->at_return[SAVED_LOADED]) &&
		      caught->at_return[RETURN_TEXT].fault &&
		      !caught->at_return[RETURN_TEXT].length,
	      "SAVED of a faulty item is faulty");
	check(!caught->at_return[MISSED_WORD].fault &&
		      value_of(&caught->at_return[MISSED_WORD]) == 0x0001000000000000,
	      "MISSED of what was not is the saved word");
}

/*
 * What the kernel's struct dentry, path and mount begin with, as far as paths go. With lockdep
 * there is more before a dentry's parent: the kernel gets the address that told() makes.
 */
#define PARENT_MOST 256

static uint64_t parent_at;	/* the parent's offset in struct dentry */

struct fake_dentry {
	char before[PARENT_MOST];
	void *parent;
	uint32_t hash, length;
	const char *name;
};

struct fake_mount {
	uint64_t hash[2];
	struct fake_mount *parent;
	void *mountpoint;
	void *root;	/* struct vfsmount begins here */
};

struct fake_path {
	void *mnt;
	void *dentry;
	char room[128];
};

static void *told(struct fake_dentry *dentry)
{
	return dentry->before + PARENT_MOST - parent_at;
}

/* A path in a file system that is a lie, and what comes of it. */
static const struct part *lie(struct fake_dentry *dentry, struct fake_mount *mount)
{
	static struct fake_path path;

	if (!mount)
		return &read_at((uintptr_t)told(dentry))->item[DENTRY];
	path.mnt = &mount->root;
	path.dentry = told(dentry);
	return &read_at((uintptr_t)&path)->item[PATH];
}

static void lies_about_paths(void)
{
	static struct fake_dentry a, b, root;
	static struct fake_mount one, two;
	const struct part *part;

	root = (struct fake_dentry){ .parent = told(&root), .length = 1, .name = "/" };
	a = (struct fake_dentry){ .parent = told(&root), .length = 2, .name = "aa" };
	b = (struct fake_dentry){ .parent = told(&a), .length = 2, .name = "bb" };
	part = lie(&b, NULL);
	check(part->length == 6 && !memcmp(part->bytes, "/aa/bb", 6) && !part->fault && !part->cut,
	      "a lie that holds together is told");
	a.parent = told(&b);
	part = lie(&b, NULL);
	check(part->length >= 12 && part->length <= TEXT_SIZE && part->cut && !part->fault &&
	      !memcmp(part->bytes + part->length - 12, "/aa/bb/aa/bb", 12),
	      "a directory inside itself ends");
	a.length = 0;
	check(lie(&a, NULL)->fault, "a name of no length");
	a.length = ~0U;
	check(lie(&a, NULL)->fault, "a name of 4 GB");
	a.length = 256;
	check(lie(&a, NULL)->fault, "a name that is too long");
	a.length = 2;
	a.name = (const char *)0xdead000000000100;
	check(lie(&a, NULL)->fault, "a name at a bad pointer");
	a.name = (const char *)-1;
	check(lie(&a, NULL)->fault, "a name at the last byte of all");
	a.name = "aa";
	a.parent = (void *)0xffffffffff5fb000;
	part = lie(&b, NULL);
	check(part->length == 6 && !memcmp(part->bytes, "/aa/bb", 6) && part->cut,
	      "a parent where devices are mapped: what is before it is there");
	a.parent = NULL;
	check(lie(&b, NULL)->cut, "a parent at NULL");

	a.parent = told(&b);
	one = (struct fake_mount){ .parent = &two, .mountpoint = told(&a), .root = told(&a) };
	two = (struct fake_mount){ .parent = &one, .mountpoint = told(&a), .root = told(&a) };
	part = lie(&a, &one);
	check(part->fault && !part->length, "two file systems mounted on each other end");
	one.mountpoint = two.mountpoint = told(&b);
	part = lie(&b, &one);
	check(part->length <= BIG_PATH && part->cut && !memcmp(part->bytes, "/bb/bb", 6),
	      "so do two with a directory between them");
	one.parent = (void *)0x8000000000000000;
	check(lie(&b, &one)->cut, "a file system on one at a bad pointer");
	one.parent = NULL;
	check(lie(&b, &one)->cut, "a file system on none");
	one.root = (void *)-1;
	check(lie(&b, &one)->length <= BIG_PATH, "a root at the last byte of all");
}

static void all_cases(uint64_t banner, uint64_t text)
{
	no_memory();
	anywhere();
	kernel_memory(banner, text);
	user_memory();
	at_return();
	lies_about_paths();
}

static void onward(void)
{
	static uint64_t second = 7, first[2];
	const uint64_t expected[ONWARD] = {
		(uintptr_t)first, (uintptr_t)&second, 7, (uintptr_t)&second,
		(uintptr_t)&second - 8, (uintptr_t)&second, (uintptr_t)first + 8,
		(uintptr_t)first + 16,
	};
	const struct kcatch_call_part *part;
	const struct kcatch_hit *hit;

	first[0] = (uintptr_t)&second;
	start("ksys_read", (struct kcatch_list)LIST(onward_items), (struct kcatch_list){ 0 });
	syscall(SYS_read, -1, first, (size_t)BYTES_LENGTH);
	hit = (const void *)((const char *)session.ring[cpu] + page + sizeof(struct kcatch_packet));
	part = (const void *)(hit->frames + hit->nr_frames);
	check(KCATCH_RECORD_KIND(hit->head.id) == KCATCH_RECORD_ENTRY &&
	      part->size[0] == sizeof(expected) && !part->faults[0] &&
	      !memcmp(part->data, expected, sizeof(expected)),
	      "values, hops and offsets");
	stop();
}

int main(void)
{
	uint64_t banner, text;
	cpu_set_t set;

	page = sysconf(_SC_PAGESIZE);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		bail("we stay on one CPU");
	banner = kernel_symbol("linux_banner");
	text = kernel_symbol(KT_SYS "read");
	has_shadow = lines_with("/proc/kallsyms", " __asan_loadN") > 0;
	test_module_load();
	direct = direct_map();
	parent_at = module_value("dentry.parent");
	memory_size = 12;
	start(KT_SYS "read", (struct kcatch_list)LIST(entry_items),
	      (struct kcatch_list)LIST(return_items));
	all_cases(banner, text);
	stop();
	note("the address is an argument");
	memory_size = 80;
	start("ksys_read", (struct kcatch_list)LIST(direct_items),
	      (struct kcatch_list)LIST(direct_return_items));
	all_cases(banner, text);
	stop();
	onward();
	return finish();
}
