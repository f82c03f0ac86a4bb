# SPDX-License-Identifier: GPL-2.0-or-later
# Description: of a program's memory only memory is read: registers of a device that it has mapped
# (a PCI resource) are unreadable, as a text, as bytes and in a condition; its ordinary memory, also
# pages of zeros, large pages, files and what two pages share, is read.
# Gate: older
. "$KT_TOP/tests/guest/support/lib.bash"

cat >maps.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int sink;
static char text[8192] __attribute__((aligned(4096)));

/* Each is refused by the kernel before it touches the memory: there is no such descriptor. */
static void pass(const void *at)
{
	if (write(-1, at, 16) != -1)
		printf("written\n");
}

int main(int argc, char **argv)
{
	int fd = open(argv[1], O_RDWR | O_SYNC), zero = open(argv[2], O_RDONLY);
	char *device = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *zeros = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *file = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, zero, 0);
	char *large = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (argc != 3 || device == MAP_FAILED || file == MAP_FAILED)
		return 1;
	madvise(large, 4 << 20, MADV_HUGEPAGE);
	strcpy(text, "ordinary memory");
	memcpy(text + 4090, "over two pages..", 16);
	memset(large, 'l', 4 << 20);
	sink = *(volatile char *)zeros + *(volatile char *)file;	/* they are there now */
	pass(text);
	pass(text + 4090);
	pass(zeros);
	pass(file);
	pass(large + (2 << 20));
	pass(device);
	return 0;
}
C
gcc -O1 -o maps maps.c || skip_all 'no C compiler'
# Registers that can be mapped: those that no driver has taken.
device=
for resource in /sys/bus/pci/devices/*/resource[0-9]; do
	if [ -e "$resource" ] && [ ! -e "${resource%/*}/driver" ] &&
		./maps "$resource" maps >/dev/null; then
		device=$resource
		break
	fi
done 2>/dev/null
[ "$device" ] || skip_all 'no registers of a device that can be mapped'
echo "# $device"

catch_begin --json -c maps -n 6 -t 300 ksys_write
./maps "$device" maps >/dev/null
catch_end
check_equal 'memory is read: a text, one over two pages, zeros, a file, a large page; no device is' \
	"$(jq -r 'select(.args) | .args.buf // "unreadable"' out | cut -c 1-16 | head -6 | tr '\n' '|' |
		tr -c 'a-z| .\n' '?')" \
	'ordinary memory?|over two pages..|????????????????|????????????????|llllllllllllllll|unreadable|'
jq -c 'select(.args) | [.args, .args_unreadable, .args_bytes]' out | sed 's/^/# /'
check_equal 'that it was not read is said' \
	"$(jq -c 'select(.args) | .args_unreadable' out | tail -1)" '["buf"]'
# What a condition cannot read it does not hold for.
catch_begin --json -c maps -n 0 -t 300 ksys_write 'buf[0] >= 0 || buf[0] < 0'
./maps "$device" maps >/dev/null
kill -INT "$kcatch"
catch_end
check_equal 'a condition looks at no device' "$(jq -r 'select(.summary) | .summary.recorded' out)" 5
