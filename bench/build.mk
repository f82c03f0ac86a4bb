# SPDX-License-Identifier: GPL-2.0-or-later
# kcatch beside its peers: `make bench`. Included by ../Makefile.

bench_out := $(build)/bench
bench_programs := $(patsubst %,$(bench_out)/%,command_cost kcatch_cost pace peer_cost until)
bench_flags := -std=gnu11 -O2 -g -D_GNU_SOURCE -Iinclude -Wall -Wextra

# kernel/core/assert.h is not to be found as <assert.h>.
ring_flags := -iquote kernel -iquote kernel/arch/$(machine) \
	-iquote bench/native -include bench/native/clock.h

.PHONY: bench
bench: $(bench_programs)
	@bench/run
	@bench/workload
	@bench/workload --events=syscalls

$(bench_out)/packages: tools/packages
	@mkdir -p $(@D)
	@tools/packages build vm bench
	@touch $@

$(bench_out)/until: bench/until.c
$(bench_out)/pace: bench/pace.c
$(bench_out)/command_cost: bench/command_cost.c bench/loop.c bench/loop.h
$(bench_out)/peer_cost: bench/peer_cost.c bench/loop.c bench/loop.h
$(bench_out)/kcatch_cost: bench/kcatch_cost.c bench/loop.c bench/loop.h $(wildcard include/uapi/*.h)
bench: $(bench_out)/ring_native $(bench_out)/ring_scale
$(bench_out)/ring_native: bench/native/ring_native.c kernel/ring/ring.c \
		kernel/ring/ring.h kernel/ring/ring_platform.h \
		bench/native/clock.h bench/native/two.h bench/build.mk | $(bench_out)/packages
	$(CC) $(bench_flags) $(ring_flags) $(CFLAGS) -o $@ \
		$(filter %.c,$^) -llttng-ust -ldl
$(bench_out)/ring_scale: bench/native/ring_scale.c kernel/ring/ring.c \
		kernel/ring/ring.h kernel/ring/ring_platform.h bench/native/clock.h bench/build.mk
	$(CC) $(bench_flags) $(ring_flags) $(CFLAGS) -o $@ \
		$(filter %.c,$^) -pthread
# The gate of `make check` needs these, without the packages of the peers.
gate_programs := $(bench_out)/kcatch_cost $(bench_out)/command_cost
$(gate_programs): | $(build)/packages-build
$(filter-out $(gate_programs),$(bench_programs)): | $(bench_out)/packages
$(bench_programs): bench/build.mk
	@mkdir -p $(@D)
	$(CC) $(bench_flags) $(CFLAGS) -o $@ $(filter %.c,$^)
