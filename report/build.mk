# SPDX-License-Identifier: GPL-2.0-only
# Reports, part of the command. Included by ../Makefile before cli/build.mk.

report_sources := $(wildcard report/*.c report/*/*.c)
report_protos := $(wildcard report/formats/*.proto)
report_generated := $(report_protos:%.proto=$(build)/gen/%.pb-c.c)
report_objects := $(report_sources:%.c=$(build)/obj/%.o) \
	$(report_protos:%.proto=$(build)/obj/gen/%.pb-c.o)
# Includes point down: report, render, and the library's public headers.
report_includes := -Iinclude -Ilib/include -Ilib/include/own -Irender -Ireport \
	-I$(build)/gen/report/formats
report_cflags = $(report_includes) $(shell pkg-config --cflags json-c)
# The archives: the plain command shall not have more to load for reports' sake.
report_libs := -l:libprotobuf-c.a -l:libz.a

$(build)/gen/%.pb-c.c: %.proto | $(build)/packages-build
	@mkdir -p $(@D)
	protoc-c --proto_path=$(<D) --c_out=$(@D) $<

$(report_sources:%.c=$(build)/obj/%.o): $(build)/obj/%.o: %.c report/build.mk \
	lib/build.mk VERSION | $(report_generated)
	@mkdir -p $(@D)
	$(CC) $(filter-out -I% -iquote%,$(c_flags)) $(report_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

# Generated code is not ours to warn about.
$(build)/obj/gen/%.pb-c.o: $(build)/gen/%.pb-c.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -g -fvisibility=hidden $(CFLAGS) -c -o $@ $<

$(build)/obj/report/assets.o: $(wildcard report/assets/*)

-include $(report_sources:%.c=$(build)/obj/%.d)
