# SPDX-License-Identifier: GPL-2.0-only
# libkcatch: build/lib/libkcatch.a. Included by ../Makefile.

# The code of conditions is checked and run by the same files in the module.
lib_sources := $(wildcard lib/*/*.c) kernel/code/code_check.c
# Includes name the room: "ring/mapped_ring.h". What cli/ and report/ may include is in
# lib/include/; what is in its own/ is not for other programs.
lib_includes := -Iinclude -Ilib/include -Ilib/include/own -Ilib -iquotekernel
lib_objects := $(lib_sources:%.c=$(build)/obj/%.o)

# Shared with cli/build.mk. CFLAGS and LDFLAGS are the caller's to add to.
c_warnings := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
	-Wold-style-definition -Wpointer-arith -Wwrite-strings -Wundef -Wvla \
	-Wformat=2 -Wimplicit-fallthrough
c_flags := -std=gnu11 -O2 -g -fno-strict-aliasing -fvisibility=hidden \
	-D_GNU_SOURCE -DKCATCH_VERSION='"$(version)"' $(lib_includes) -I$(build)/obj/lib \
	$(c_warnings)

# Asked for only when something is built, and never at `make clean` and the like.
lib_cflags = $(shell pkg-config --cflags json-c)
lib_libs = -ldl $(shell pkg-config --libs json-c) -liberty

.PHONY: lib
lib: $(build)/lib/libkcatch.a

# Package lists change, and then the packages must be there before a compiler runs.
$(lib_objects): $(build)/obj/%.o: %.c lib/build.mk VERSION | $(build)/packages-build
	@mkdir -p $(@D)
	$(CC) $(c_flags) -fPIC $(lib_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

# Names of system calls, from the C library's header and from what older ones lack.
$(build)/obj/lib/base/syscall_name.o: $(build)/obj/lib/base/syscall_names.inc
$(build)/obj/lib/base/syscall_names.inc: lib/build.mk lib/base/newer_syscalls.h \
		| $(build)/packages-build
	@mkdir -p $(@D)
	@printf '#include %s\n' '<asm/unistd.h>' '"lib/base/newer_syscalls.h"' | \
		$(CC) -E -dM - | sort -n -k 3 | \
		awk '$$2 ~ /^__NR_/ && $$2 !~ /^__NR_(syscalls|arch_specific_syscall)$$/ && $$3 ~ /^[0-9]+$$/ { \
			print "[" $$3 "] = \"" substr($$2, 6) "\"," }' >$@

$(build)/lib/libkcatch.a: $(lib_objects)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

-include $(lib_objects:.o=.d)
