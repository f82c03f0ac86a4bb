/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wire.h - what the two ends of a laboratory machine say to each other
 *
 * The host (monitor.c) and the guest (init.c) are joined by virtio-serial
 * ports, one for each kind of message, so that nothing a command prints can be
 * mistaken for a verdict and no verdict can land in a command's output.
 *
 *   WIRE_CONTROL  host to guest: the request, a sequence of "key=value" strings
 *                 each ended by NUL, the whole ended by an empty string:
 *                   cwd=PATH       where COMMAND starts
 *                   root=PATH      the host's directory that is the guest's root, for a guest
 *                                  that cannot execute the host's programs (optional)
 *                   show=PATH      with root: a directory of the host that must be visible
 *                                  at the same path (optional, any number)
 *                   modules=PATH   becomes /lib/modules/<release> in the guest
 *                   boot=PATH      holds config-<release>, System.map-<release>
 *                   insmod=PATH    a module to load first (optional)
 *                   settle=        wait until the boot's work is done (optional)
 *                   arg=WORD       COMMAND and its arguments, in order
 *                   env=NAME=VALUE its environment, in order
 *                 guest to host, one line each:
 *                   ready                    COMMAND is about to run
 *                   fail TEXT                COMMAND cannot run, no use to retry
 *                   exit STATUS OUT ERR LOG  COMMAND is over; the bytes sent on
 *                                            the three ports below
 *   WIRE_STDOUT   guest to host: COMMAND's standard output, raw
 *   WIRE_STDERR   guest to host: COMMAND's standard error, raw
 *   WIRE_LOG      guest to host: the records of /dev/kmsg, as they are made
 *
 * The byte counts in "exit" tell the host when it has everything: it then ends
 * the machine by killing the emulator, which costs no shutdown in the guest.
 */
#ifndef VM_WIRE_H
#define VM_WIRE_H

enum wire_port {
	WIRE_CONTROL = 1,	/* the port number on the virtio-serial bus, from 1 */
	WIRE_STDOUT,
	WIRE_STDERR,
	WIRE_LOG,
	WIRE_END,
};

#define WIRE_ROOT_TAG "kcatch-root"	/* the 9p mount tag of the host's root */
#define WIRE_REQUEST_MAX (4u << 20)	/* more than execve() itself accepts */

#endif
