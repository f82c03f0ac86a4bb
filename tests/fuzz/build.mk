# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzzers: `make fuzz`. Included by ../build.mk.
#   make fuzz SECONDS=900      so long each, two at a time
#   make fuzz FUZZ=recording   only this one
# One file a fuzzer, NAME_fuzz.c; the other files are shared.

fuzz_out := $(tests_out)/fuzz
fuzzers := $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c))
fuzz_shared := $(filter-out %_fuzz.c,$(wildcard tests/fuzz/*.c))
fuzz_sources := $(lib_sources) $(report_sources) $(wildcard render/*.c) $(fuzz_shared) \
	cli/record_control.c cli/record_writing.c cli/common/control.c \
	cli/common/follow.c cli/common/interrupt.c cli/common/recorders.c \
	$(addprefix tests/unit/,btf_fixture.c code_fixture.c items_fixture.c condition_fixture.c \
		condition_cases.c expression_cases.c)
fuzz_flags = -std=gnu11 -O1 -g -fno-omit-frame-pointer -fno-strict-aliasing -D_GNU_SOURCE \
	-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
	-DKCATCH_VERSION='"$(version)"' -DCONTROL_DIRECTORY='"sockets"' \
	$(lib_includes) -I$(build)/obj/lib $(report_includes) -Icli -Icli/common -Itests/unit \
	$(lib_cflags) -Wall -Wextra -Wno-unknown-warning-option

$(fuzz_out)/%.o: %.c tests/fuzz/build.mk | $(tests_out)/packages $(report_generated) \
		$(build)/obj/lib/base/syscall_names.inc
	@mkdir -p $(@D)
	clang $(fuzz_flags) $(CFLAGS) -MMD -MP -c -o $@ $<
# The generator of conditions takes its choices from the input.
$(fuzz_out)/tests/unit/expression_cases.o: fuzz_flags += -Drandom=fuzz_random
$(fuzz_out)/report/assets.o: $(wildcard report/assets/*)
$(fuzz_out)/code.a: $(fuzz_sources:%.c=$(fuzz_out)/%.o)
	@rm -f $@
	$(AR) rcs $@ $^
$(fuzz_out)/control: fuzz_link := -Wl,--wrap=kcatch_recorder_snapshot
$(fuzzers:%=$(fuzz_out)/%): $(fuzz_out)/%: $(fuzz_out)/tests/fuzz/%_fuzz.o $(fuzz_out)/code.a \
		$(filter $(build)/obj/gen/%,$(report_objects))
	clang -fsanitize=fuzzer,address,undefined $(fuzz_link) -o $@ $^ -lcmocka -lpthread \
		$(report_libs) $(lib_libs)
-include $(fuzz_sources:%.c=$(fuzz_out)/%.d) $(fuzzers:%=$(fuzz_out)/tests/fuzz/%_fuzz.d)
.SECONDARY: $(fuzzers:%=$(fuzz_out)/tests/fuzz/%_fuzz.o)

SECONDS ?= 60
.PHONY: fuzz fuzzers
fuzzers: $(fuzzers:%=$(fuzz_out)/%)
fuzz: fuzzers
	@tests/fuzz/run --seconds '$(SECONDS)' $(fuzz_out) $(FUZZ)
