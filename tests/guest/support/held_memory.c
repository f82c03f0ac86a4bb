// SPDX-License-Identifier: GPL-2.0-or-later
/* held_memory.c - memory that takes as long as a test wants */
#include "guest.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int hold_memory_back(void *memory, size_t size)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = {
		.range = { .start = (uintptr_t)memory, .len = size },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	/* poll() of one that blocks says POLLERR at once. */
	int faults = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (faults < 0 || ioctl(faults, UFFDIO_API, &api))
		skip_all("this kernel has no userfaultfd");
	if (ioctl(faults, UFFDIO_REGISTER, &area))
		bail("memory is held back");
	return faults;
}

void give_memory(int faults, void *memory, size_t size)
{
	struct uffdio_zeropage zero = { .range = { .start = (uintptr_t)memory, .len = size } };

	if (ioctl(faults, UFFDIO_ZEROPAGE, &zero))
		bail("memory is given");
}
