# SPDX-License-Identifier: GPL-2.0-only
# The command: build/bin/kcatch. Included by ../Makefile after lib/build.mk.

cli_sources := $(wildcard cli/*.c cli/*/*.c)
cli_objects := $(cli_sources:%.c=$(build)/obj/%.o)
render_objects := $(patsubst %.c,$(build)/obj/%.o,$(wildcard render/*.c))
# Includes point down: cli, report, render, and the library's public headers.
cli_includes := -Iinclude -Ilib/include -Ilib/include/own -Irender -Ireport -Icli/common
render_includes := -Iinclude -Ilib/include -Ilib/include/own -Irender
cli_cflags = $(shell pkg-config --cflags json-c)
cli_libs = $(shell pkg-config --libs json-c) -lpthread

# The newest kernel that `make check` tests; `kcatch check` says when it runs on a newer one.
newest_kernel := $(shell vm/fetch --list | sed 's/-.*//' | sort -V | tail -n 1)

.PHONY: cli
cli: $(build)/bin/kcatch

$(cli_objects): program_includes := $(cli_includes)
$(build)/obj/cli/check.o: vm/kernels
$(build)/obj/cli/check.o: program_includes += -DKCATCH_NEWEST_KERNEL='"$(newest_kernel)"'
$(render_objects): program_includes := $(render_includes)
$(cli_objects) $(render_objects): $(build)/obj/%.o: %.c cli/build.mk lib/build.mk VERSION \
		| $(build)/packages-build
	@mkdir -p $(@D)
	$(CC) $(filter-out -I% -iquote%,$(c_flags)) $(program_includes) $(cli_cflags) $(CFLAGS) \
		-MMD -MP -c -o $@ $<

# The command is one file to copy and to start.
$(build)/bin/kcatch: $(cli_objects) $(report_objects) $(render_objects) $(build)/lib/libkcatch.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(cli_libs) $(report_libs) $(lib_libs)

-include $(cli_objects:.o=.d) $(render_objects:.o=.d)
