# SPDX-License-Identifier: GPL-2.0-only
# The command: build/bin/kcatch. Included by ../Makefile after lib/build.mk.

cli_sources := $(wildcard cli/*.c)
cli_objects := $(cli_sources:%.c=$(build)/obj/%.o)
cli_cflags = -Icli -Ireport $(shell pkg-config --cflags json-c)
cli_libs = $(shell pkg-config --libs json-c)

.PHONY: cli
cli: $(build)/bin/kcatch

$(cli_objects): $(build)/obj/%.o: %.c cli/build.mk lib/build.mk VERSION | $(build)/packages-build
	@mkdir -p $(@D)
	$(CC) $(c_flags) $(cli_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

# The archive, not the shared library: the command is one file to copy and to start.
$(build)/bin/kcatch: $(cli_objects) $(report_objects) $(build)/lib/libkcatch.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,--as-needed -o $@ $^ $(cli_libs) $(report_libs) $(lib_libs)

-include $(cli_objects:.o=.d)
