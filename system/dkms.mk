# SPDX-License-Identifier: GPL-2.0-only
# Builds the module from a copy of its sources: DKMS, rpm and `make` beside Kbuild use it.
#   make KERNEL_HEADERS=/lib/modules/RELEASE/build
# compat/detect asks the headers what this kernel has.
KERNEL_HEADERS ?= /lib/modules/$(shell uname -r)/build

.PHONY: all clean
all:
	sh compat/detect $(KERNEL_HEADERS) >compat/features
	$(MAKE) -C $(KERNEL_HEADERS) M=$(CURDIR) modules

clean:
	$(MAKE) -C $(KERNEL_HEADERS) M=$(CURDIR) clean
	rm -f compat/features
