# SPDX-License-Identifier: GPL-2.0-only
# kcatch: `make` builds the module, the library and the command.
# `make help` lists the targets.

top := $(CURDIR)
build := $(top)/build
# ARCH=arm64: library and command for that machine, in build/arm64, with a compiler and libraries
# that vm/fetch unpacks into its cache.
ifneq ($(filter-out $(shell uname -m),$(subst arm64,aarch64,$(ARCH))),)
build := $(top)/build/$(ARCH)
CC := $(shell vm/fetch --compiler $(ARCH))
ifeq ($(CC),)
$(error no compiler for ARCH=$(ARCH))
endif
AR := $(dir $(CC))ar
export PKG_CONFIG_SYSROOT_DIR := $(dir $(CC))root
export PKG_CONFIG_LIBDIR := $(wildcard $(dir $(CC))root/usr/lib/*-linux-gnu/pkgconfig)
endif
version := $(shell cat VERSION)
# What is compiled for, as the kernel calls it: a folder of kernel/arch/.
compiled_for := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
machine := $(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(compiled_for)))

# The kernel to build the module for: a key of vm/kernels, or a release that is
# in the cache of vm/fetch, or `running` for this machine's own.
KERNEL ?= 6.1

include lib/build.mk
include report/build.mk
include cli/build.mk
-include tests/build.mk
-include bench/build.mk

.DEFAULT_GOAL := all
# For a make of its own: as many jobs as processors, where the caller did not say how many.
jobs = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
# KCATCH_PACKAGES=no: who calls make has installed what is needed.
export KCATCH_PACKAGES

.PHONY: all module lib cli try lint install install-lib uninstall deb rpm clean help

all: module lib cli

# The kernel's own build system writes beside the sources, so it gets a copy:
# a build leaves the tree clean.
module: $(build)/packages-build
	@tools/build-module "$(KERNEL)"

# Debian packages a build needs; asked for once, and again when the list changes.
$(build)/packages-build: tools/packages
	@mkdir -p $(build)
	@tools/packages build
	@touch $@

# A kernel of its own in a virtual machine: safe, and nothing is loaded here.
try:
	@tools/try

# The rules of tools/lint, or those named: make lint RULES='layers banners'
lint:
	@tools/packages lint
	@tools/lint/run $(RULES)

install:
	@tools/packages build
	@tools/install install

# For building programs; the kernel that runs here does not matter.
install-lib:
	@tools/packages build
	@tools/install install-lib

uninstall:
	@tools/install uninstall

# Packages, in build/deb/ and build/rpm/.
deb rpm:
	@tools/packages $@
	@tools/$@

clean:
	rm -rf $(build)

help:
	@echo 'make            build module, library and command (KERNEL=$(KERNEL))'
	@echo 'make lib cli ARCH=arm64     for arm64, in build/arm64'
	@echo 'make try        catch one call in a throwaway kernel: needs nothing but root'
	@echo 'make check      all tests'
	@echo 'make check-quick     units, lint and ten guest tests on one kernel: a few minutes'
	@echo 'make check-debug guest tests on a kernel with KASAN, lockdep, kmemleak: hours'
	@echo 'make check-fleet    metrics and rows with Prometheus, ClickHouse, syslog-ng (0.5 GB)'
	@echo 'make check-packages the packages as users have them: systemd, a bare root, Secure Boot'
	@echo 'make fuzz       fuzzers of what reads untrusted data, SECONDS=60 each; part of make check'
	@echo 'make matrix     each kernel of the archive: build, boot, try; writes docs/kernels.md'
	@echo 'make stress     what takes hours: loads, kills, CPUs and memory that go (ROUNDS=10% for less)'
	@echo 'make lint       the rules of tools/lint on all files, without building; part of make check'
	@echo 'make bench      kcatch beside its peers, in counted instructions'
	@echo 'make install    for the kernel this machine runs; make uninstall takes it away'
	@echo 'make deb        Debian packages, in build/deb/; make rpm an RPM, in build/rpm/'
	@echo 'make install-lib the library alone, with its headers and libkcatch.pc'
