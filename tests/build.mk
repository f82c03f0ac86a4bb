# SPDX-License-Identifier: GPL-2.0-or-later
# Tests: `make check`. Included by ../Makefile.
#   make check KERNEL=6.1      guest tests on one kernel only
#   make check TESTS='stack*'  only the tests whose name matches
#   make check-quick           units, lint and ten guest tests on one kernel
#   make check-debug           guest tests on a kernel that checks itself (KERNEL=7.3-debug for
#                              the newest), see docs/testing.md
#   make check-fleet           share/fleet/ with Prometheus, ClickHouse and syslog-ng
#   make check-packages        packages: what of them takes longer, see docs/install.md
#   make stress                tests of hours: tests/stress/check --help

tests_out := $(build)/tests
unit_tests := $(patsubst tests/unit/%_test.c,%,$(wildcard tests/unit/*_test.c))
guest_programs := $(patsubst tests/guest/%.c,%,$(wildcard tests/guest/*.c))

# The code under test and the fixtures, once for each way to build them. ThreadSanitizer
# and AddressSanitizer exclude each other.
unit_flavors := plain address thread
unit_flags_plain := -O2
unit_flags_address := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
unit_flags_thread := -O1 -fsanitize=thread
# Single steps through a sanitizer's own code prove nothing and take minutes.
unit_plain_only := ring_nesting metrics_week
unit_sources := kernel/ring/ring.c kernel/ktrace/ktrace_format.c kernel/program/fetch.c \
	kernel/program/items_check.c kernel/hit/pair.c \
	$(filter-out %_test.c,$(wildcard tests/unit/*.c)) $(lib_sources) \
	cli/common/call_tree.c cli/common/control.c cli/metrics_series.c cli/metrics_text.c
unit_flags := -std=gnu11 -g -fno-omit-frame-pointer -fno-strict-aliasing -D_GNU_SOURCE \
	-DKCATCH_VERSION='"$(version)"' $(lib_includes) -iquote kernel \
	-iquote kernel/arch/$(machine) -I$(build)/obj/lib \
	-Wall -Wextra

# Reports see sessions through the library's interface alone: a made-up one takes its place.
value_test_sources := $(addprefix render/,value_text.c row.c value_json.c stdout.c \
	message.c)
# What was counted needs a kernel: count_by_keys tests it.
report_test_sources := $(filter-out report/counted.c,$(report_sources)) \
	tests/report/fake_session.c $(value_test_sources) \
	$(addprefix render/,render_text.c render_json.c render_rows.c event_json.c \
		stack_texts.c losses.c)
# What commands share, at the end of a session that a test makes up.
show_test_sources := $(addprefix cli/common/,show.c follow.c interrupt.c judge.c take_counts.c \
	pair_account.c)
# Those that run in several threads: the library itself makes none, a report may make one.
unit_threads := $(patsubst tests/unit/%_test.c,%,$(shell grep -l pthread.h tests/unit/*_test.c)) \
	report_helper

define unit_flavor
$(tests_out)/unit/$(1)/%.o: %.c tests/build.mk | $(tests_out)/packages \
		$(build)/obj/lib/base/syscall_names.inc
	@mkdir -p $$(@D)
	$$(CC) $$(unit_flags) $$(unit_flags_$(1)) $$(CFLAGS) -MMD -MP -c -o $$@ $$<
$(tests_out)/unit/$(1)/code.a: $(unit_sources:%.c=$(tests_out)/unit/$(1)/%.o)
	@rm -f $$@
	$$(AR) rcs $$@ $$^
$(tests_out)/unit/$(1)/%: $(tests_out)/unit/$(1)/tests/unit/%_test.o $(tests_out)/unit/$(1)/code.a
	$$(CC) $$(unit_flags_$(1)) -o $$@ $$^ -lcmocka -lpthread $$(lib_libs)
$(report_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) \
		$(tests_out)/unit/$(1)/render/count_text.o \
		$(tests_out)/unit/$(1)/render/count_json.o \
		$(tests_out)/unit/$(1)/tests/unit/reports_test.o \
		$(tests_out)/unit/$(1)/tests/unit/report_helper_test.o \
		$(tests_out)/unit/$(1)/tests/unit/report_values_test.o \
		$(tests_out)/unit/$(1)/tests/unit/table_rows_test.o \
		$(tests_out)/unit/$(1)/tests/unit/thread_states_test.o \
		$(tests_out)/unit/$(1)/tests/unit/why_report_test.o \
		$(tests_out)/unit/$(1)/tests/unit/shown_values_test.o \
		$(tests_out)/unit/$(1)/tests/unit/show_test.o \
		$(show_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) \
		$(tests_out)/unit/$(1)/tests/report/sample.o: \
		unit_flags += $(report_includes) -Itests/report
$(report_sources:%.c=$(tests_out)/unit/$(1)/%.o): | $(report_generated)
$(tests_out)/unit/$(1)/report/assets.o: $(wildcard report/assets/*)
$(tests_out)/unit/$(1)/reports $(tests_out)/unit/$(1)/report_helper \
		$(tests_out)/unit/$(1)/report_values $(tests_out)/unit/$(1)/table_rows \
		$(tests_out)/unit/$(1)/thread_states $(tests_out)/unit/$(1)/why_report: \
		$(tests_out)/unit/$(1)/%: $(tests_out)/unit/$(1)/tests/unit/%_test.o \
		$(report_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) \
		$(filter $(build)/obj/gen/%,$(report_objects)) $(tests_out)/unit/$(1)/code.a
	$$(CC) $$(unit_flags_$(1)) -o $$@ $$^ -lcmocka $$(cli_libs) $$(report_libs) $$(lib_libs)
$(tests_out)/unit/$(1)/shown_values: $(tests_out)/unit/$(1)/tests/unit/shown_values_test.o \
		$(tests_out)/unit/$(1)/render/count_text.o \
		$(tests_out)/unit/$(1)/render/count_json.o \
		$(value_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) $(tests_out)/unit/$(1)/code.a
	$$(CC) $$(unit_flags_$(1)) -o $$@ $$^ -lcmocka -lpthread $$(cli_libs) $$(lib_libs)
$(tests_out)/unit/$(1)/tests/unit/show_test.o \
$(show_test_sources:%.c=$(tests_out)/unit/$(1)/%.o): unit_flags += -Icli/common
$(tests_out)/unit/$(1)/show: $(tests_out)/unit/$(1)/tests/unit/show_test.o \
		$(show_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) \
		$(report_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) \
		$(filter $(build)/obj/gen/%,$(report_objects)) $(tests_out)/unit/$(1)/code.a
	$$(CC) $$(unit_flags_$(1)) -o $$@ $$^ -lcmocka $$(cli_libs) $$(report_libs) $$(lib_libs)
$(tests_out)/unit/$(1)/metrics_week: $(tests_out)/unit/$(1)/tests/unit/metrics_week_test.o \
		$(value_test_sources:%.c=$(tests_out)/unit/$(1)/%.o) $(tests_out)/unit/$(1)/code.a
	$$(CC) $$(unit_flags_$(1)) -o $$@ $$^ -lcmocka -lpthread $$(cli_libs) $$(lib_libs)
$(tests_out)/unit/$(1)/cli/metrics_series.o: unit_flags += -Irender
$(tests_out)/unit/$(1)/kernel/program/fetch.o $(tests_out)/unit/$(1)/kernel/program/items_check.o \
$(tests_out)/unit/$(1)/tests/unit/fetch_test.o: \
		unit_flags += -Itests/unit/kernel_headers -include tests/unit/fetch_fixture.h \
			-Wno-sign-compare
$(tests_out)/unit/$(1)/kernel/hit/pair.o: \
		unit_flags += -Itests/unit/kernel_headers -include tests/unit/pair_table_fixture.h \
			-Wno-maybe-uninitialized
$(tests_out)/unit/$(1)/tests/unit/call_tree_test.o: unit_flags += -Icli/common
$(tests_out)/unit/$(1)/tests/unit/metrics_week_test.o: unit_flags += -Icli
$(tests_out)/unit/$(1)/tests/unit/control_test.o $(tests_out)/unit/$(1)/cli/common/control.o: \
		unit_flags += -Icli/common -DCONTROL_DIRECTORY='"sockets"'
endef
$(foreach flavor,$(unit_flavors),$(eval $(call unit_flavor,$(flavor))))
# Of each object that there is, in whichever list it stands.
-include $(shell find $(tests_out)/unit -name '*.d' 2>/dev/null)

unit_programs := $(unit_tests:%=$(tests_out)/unit/plain/%) \
	$(foreach flavor,$(filter-out plain,$(unit_flavors)),\
	$(patsubst %,$(tests_out)/unit/$(flavor)/%,$(filter-out $(unit_plain_only),\
	$(if $(filter thread,$(flavor)),$(unit_threads),$(unit_tests)))))
.SECONDARY: $(foreach flavor,$(unit_flavors),\
	$(unit_tests:%=$(tests_out)/unit/$(flavor)/tests/unit/%_test.o))

# Reports of a made-up machine, for tests that read them with other programs.
report_sample := $(tests_out)/report_sample
$(report_sample): $(tests_out)/unit/plain/tests/report/sample.o \
		$(report_test_sources:%.c=$(tests_out)/unit/plain/%.o) \
		$(filter $(build)/obj/gen/%,$(report_objects)) $(tests_out)/unit/plain/code.a
	$(CC) -o $@ $^ $(cli_libs) $(report_libs) $(lib_libs)

# Guest tests talk to the module as the header says, without the library.
guest_support := $(wildcard tests/guest/support/*.c)
$(tests_out)/guest/%: tests/guest/%.c $(guest_support) $(wildcard tests/guest/support/*.h) \
		$(wildcard include/uapi/*.h) tests/build.mk | $(tests_out)/packages
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -g -O2 -D_GNU_SOURCE -Wall -Wextra -Iinclude -Itests/guest/support \
		$(CFLAGS) -o $@ $< $(guest_support) -lpthread

# But for this one, which compares what the library compiled.
$(tests_out)/guest/condition_property: tests/guest/condition_property.c $(guest_support) \
		$(tests_out)/unit/plain/code.a tests/condition_cases.inc tests/build.mk \
		| $(tests_out)/packages
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -g -O2 -D_GNU_SOURCE -Wall -Wextra $(lib_includes) -Itests/guest/support \
		$(CFLAGS) -o $@ $< $(guest_support) $(tests_out)/unit/plain/code.a -lpthread \
		$(lib_libs)

# Stress tests are built the same way; the fuzzer of sessions has a directory of its own.
stress_programs := $(patsubst tests/stress/%.c,%,$(wildcard tests/stress/*.c)) fuzz_ioctl
session_fuzz_sources := $(wildcard tests/stress/fuzz/*.c)
$(tests_out)/stress/%: tests/stress/%.c $(guest_support) $(wildcard tests/guest/support/*.h) \
		$(wildcard include/uapi/*.h) tests/build.mk | $(tests_out)/packages
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -g -O2 -D_GNU_SOURCE -Wall -Wextra -Iinclude -Itests/guest/support \
		$(CFLAGS) -o $@ $< $(guest_support) -lpthread
$(tests_out)/stress/fuzz_ioctl: $(session_fuzz_sources) tests/stress/fuzz/fuzz.h $(guest_support) \
		$(wildcard tests/guest/support/*.h) $(wildcard include/uapi/*.h) \
		tests/build.mk | $(tests_out)/packages
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -g -O2 -D_GNU_SOURCE -Wall -Wextra -Iinclude -Itests/guest/support \
		$(CFLAGS) -o $@ $(session_fuzz_sources) $(guest_support) -lpthread

$(tests_out)/samples/ktrace_reader: samples/ktrace/reader.c $(wildcard include/uapi/*.h) | \
		$(tests_out)/packages
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra -Iinclude $(CFLAGS) -o $@ $<

# The programs of the library's manual page, as a reader would copy them.
man_examples := $(patsubst %.c,$(tests_out)/examples/%, \
	$(shell tests/library/extract man/libkcatch.3))
.PRECIOUS: $(tests_out)/examples/%.c
$(tests_out)/examples/%.c: man/libkcatch.3 tests/library/extract
	@mkdir -p $(@D)
	@tests/library/extract $< $*.c >$@
$(tests_out)/examples/%: $(tests_out)/examples/%.c $(build)/lib/libkcatch.a tests/build.mk
	$(CC) -std=c11 -O2 -Wall -Wextra -pedantic -Wshadow -Werror \
		-Iinclude -Ilib/include $(CFLAGS) \
		-o $@ $< $(build)/lib/libkcatch.a $(lib_libs)

# A program that loads the module.
$(tests_out)/library_loads: tests/library/loads.c $(build)/lib/libkcatch.a tests/build.mk
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Iinclude -Ilib/include $(CFLAGS) -o $@ $< \
		$(build)/lib/libkcatch.a $(lib_libs)

$(tests_out)/packages: $(wildcard tools/packages)
	@mkdir -p $(@D)
	@tools/packages build vm test
	@touch $@

include tests/fuzz/build.mk

.PHONY: check check-quick check-debug check-fleet check-packages
.PHONY: emulator guest_tests jq matrix quick_tests stress tests
# What runs in a guest, of another architecture too.
guest_tests: lib cli $(guest_programs:%=$(tests_out)/guest/%) $(tests_out)/samples/ktrace_reader
tests: all $(build)/bench/kcatch_cost $(unit_programs) $(report_sample) \
		$(guest_programs:%=$(tests_out)/guest/%) \
		$(stress_programs:%=$(tests_out)/stress/%) \
		$(tests_out)/samples/ktrace_reader $(tests_out)/library_loads \
		$(man_examples) fuzzers

# A QEMU that is a third faster than Debian 12's, where that is what this machine has.
emulator:
	@vm/fetch --emulator >/dev/null || echo 'going on with the QEMU of this machine'

# A jq that starts in a quarter of the time of Debian 12's, where that is what this machine has.
jq:
	@tests/new_jq $(tests_out)/bin || echo 'going on with the jq of this machine'

# The packages first: they bring the compiler that the rest needs.
check:
	@tools/packages build vm test browser lint deb package-test
	@$(MAKE) $(jobs) --no-print-directory -s emulator jq tests
	@tests/check \
		$(if $(filter-out undefined file default,$(origin KERNEL)),--kernel '$(KERNEL)') \
		$(if $(TESTS),--tests '$(TESTS)')

# What a change is tried with while it is made: minutes instead of a gate.
quick_tests: lib cli $(filter $(tests_out)/unit/plain/%,$(unit_programs)) \
		$(addprefix $(tests_out)/guest/,counters_exact returns_pair)
check-quick:
	@tools/packages build vm test lint
	@$(MAKE) $(jobs) --no-print-directory -s emulator jq quick_tests
	@tests/check --quick --kernel '$(KERNEL)'

# The debugging kernel is built from source the first time.
debug_kernel = $(if $(filter-out undefined file default,$(origin KERNEL)),$(KERNEL),6.1-debug)
check-debug:
	@tools/packages build vm test debug
	@vm/fetch '$(debug_kernel)'
	@$(MAKE) $(jobs) --no-print-directory -s emulator jq tests
	@tests/check --kernel '$(debug_kernel)' $(if $(TESTS),--tests '$(TESTS)')

# Hours with all releases; KERNELS='--newest 7.3 6.1-rt' for less: see tests/matrix --help.
matrix:
	@tools/packages build vm test
	@$(MAKE) $(jobs) --no-print-directory -s emulator jq tests
	@tests/matrix $(KERNELS)

# What takes longer than make check has time for: see tests/packages/check.
check-fleet:
	@tools/packages build vm test fleet
	@$(MAKE) $(jobs) --no-print-directory -s module lib cli
	@tests/fleet/check

check-packages:
	@tools/packages build vm test deb package-test package-root rpm secure-boot
	@$(MAKE) $(jobs) --no-print-directory -s lib cli
	@tests/packages/check

# Hours, unless ROUNDS says less: make stress ROUNDS=10% KERNEL=6.1 TESTS=reload
stress:
	@tools/packages build vm test
	@$(MAKE) $(jobs) --no-print-directory -s emulator jq tests
	@tests/stress/check $(if $(ROUNDS),--rounds '$(ROUNDS)') \
		$(if $(filter-out undefined file default,$(origin KERNEL)),--kernel '$(KERNEL)') \
		$(if $(TESTS),--tests '$(TESTS)')
