/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * kcatch_machine.h - libkcatch: can this machine trace, what is missing, and what can be caught
 *
 * Part of kcatch.h, which includes it. No function here needs a session; any number of threads
 * may call them.
 */
#ifndef KCATCH_MACHINE_H
#define KCATCH_MACHINE_H

#include <kcatch.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kcatch_tristate {
	KCATCH_NO,
	KCATCH_YES,
	KCATCH_UNKNOWN,
};

/**
 * struct kcatch_machine - facts about this machine that matter for tracing
 * @release: release of the running kernel
 * @is_root: the effective user is 0
 * @can_trace: the process has CAP_SYS_ADMIN, or CAP_PERFMON and CAP_SYSLOG
 * @can_load: root, with the machine's CAP_SYS_MODULE
 * @module_loaded: /dev/kcatch or /sys/module/kcatch exists
 * @module_file: path where modprobe finds the module; "": not installed
 * @headers: directory of kernel headers to build with; "": absent
 * @secure_boot: the firmware requires signatures
 * @lockdown: "none", "integrity", "confidentiality"; "": unknown
 * @shares_numbers: processes have the numbers here that the kernel gives them
 * @kptr_restrict: sysctl kernel.kptr_restrict; -1: unknown
 * @ftrace_enabled: sysctl kernel.ftrace_enabled; -1: unknown
 * @kprobes_enabled: kprobes/enabled in debugfs; -1: unknown
 * @tracefs: mount point of tracefs; "": not mounted
 * @btf: the kernel has BTF type information
 * @btf_unknown: the first kind of types there that this release does not know; 0: all are known
 * @btf_ends: the types behind the first of that kind are not known either
 * @has_kprobe_blacklist: debugfs has the kprobe blacklist
 * @module_version: release of the loaded module; "": not loaded
 * @module_remedy: how the module is built and installed for this kernel
 * @signing_remedy: how a signed module gets accepted; lines
 */
struct kcatch_machine {
	char release[65];
	bool is_root;
	bool can_trace;
	bool can_load;
	bool module_loaded;
	char module_file[512];
	char headers[512];
	enum kcatch_tristate secure_boot;
	char lockdown[32];
	bool shares_numbers;
	int kptr_restrict;
	int ftrace_enabled;
	int kprobes_enabled;
	char tracefs[64];
	bool btf;
	int btf_unknown;
	bool btf_ends;
	bool has_kprobe_blacklist;
	char module_version[32], module_remedy[256], signing_remedy[640];
};

/**
 * kcatch_machine_create - examine the machine
 * @machine: the facts; free them with kcatch_machine_destroy()
 *
 * Return: 0 or -ENOMEM.
 */
KCATCH_API int kcatch_machine_create(const struct kcatch_machine **machine);

/**
 * kcatch_machine_destroy - free the facts
 * @machine: the facts, or NULL
 */
KCATCH_API void kcatch_machine_destroy(const struct kcatch_machine *machine);

/**
 * kcatch_machine_hides_addresses - whether kernel addresses must not be shown
 *
 * Return: true if the sysctl kernel.kptr_restrict is 2.
 */
KCATCH_API bool kcatch_machine_hides_addresses(void);

/* ---- what can be caught ---------------------------------------------------------- */

/**
 * struct kcatch_function - a function that can be caught
 * @name: name of the function
 * @module: module name; NULL: the kernel itself
 * @mechanism: KCATCH_BY_*
 * @instances: number of functions of this name in @module; a request arms all of them
 */
struct kcatch_function {
	const char *name;
	const char *module;
	enum kcatch_mechanism mechanism;
	unsigned int instances;
};

struct kcatch_functions;

/**
 * kcatch_functions_create - find all functions that match some patterns
 * @patterns: [module:]pattern or plain names; they stay the caller's, and must stay
 * @nr: number of entries in @patterns
 * @functions: receives what was found; free it with kcatch_functions_destroy()
 *
 * Reads tracefs for the functions that ftrace can hook, the kernel's symbols, and the kprobe
 * blacklist (debugfs) to leave out functions that kprobes must not touch: once, for all patterns.
 *
 * Return: 0; -EINVAL: a pattern is none; -EACCES; -ENOMEM; another -errno.
 */
KCATCH_API int kcatch_functions_create(const char *const *patterns, unsigned int nr,
				       struct kcatch_functions **functions);

/**
 * kcatch_functions_list - list the functions that match one of the patterns
 * @functions: what was found
 * @index: of the pattern
 * @visit: called for each function, sorted by module and name; a return value other
 *	than 0 ends the list
 * @arg: passed to @visit
 *
 * Return: 0; the value from @visit that ended the list; -ENOENT or -EADDRNOTAVAIL when no function
 * matches (the error text suggests names); another -errno.
 */
KCATCH_API int kcatch_functions_list(const struct kcatch_functions *functions, unsigned int index,
				     int (*visit)(const struct kcatch_function *function,
						  void *arg),
				     void *arg);

/**
 * kcatch_functions_destroy - free what was found
 * @functions: may be NULL
 */
KCATCH_API void kcatch_functions_destroy(struct kcatch_functions *functions);

/**
 * kcatch_events_list - list the tracepoints that match a pattern
 * @pattern: [system:]name, both may be patterns, or "core"
 * @visit: called for each event; a return value other than 0 ends the list
 * @arg: passed to @visit
 *
 * Return: 0; the value from @visit that ended the list; -ENOENT when no event matches (the error
 * text suggests names); -EINVAL: that is no event's name; another -errno.
 */
KCATCH_API int kcatch_events_list(const char *pattern,
				  int (*visit)(const char *system, const char *name, void *arg),
				  void *arg);

struct kcatch_signatures;

/**
 * typedef kcatch_signature_visit - called for each argument
 * @name: the argument; NULL: what a function returns, after all arguments
 * @type: its type, as C writes it
 * @arg: the argument of kcatch_signature_read()
 *
 * Return: 0 to continue; any other value ends the reading and becomes its result.
 */
typedef int kcatch_signature_visit(const char *name, const char *type, void *arg);

/**
 * kcatch_signatures_create - get ready to tell the arguments of functions and events
 * @signatures: the new object; free it with kcatch_signatures_destroy()
 *
 * Return: 0; -ENOENT the kernel has no types (BTF); another -errno.
 */
KCATCH_API int kcatch_signatures_create(struct kcatch_signatures **signatures);

/**
 * kcatch_signature_read - tell the arguments of a function or event with their types
 * @signatures: from kcatch_signatures_create()
 * @mechanism: KCATCH_BY_TRACEPOINT for an event, KCATCH_BY_EVENT for one of ktrace; else it is a
 *	function
 * @module: the module that contains the function, NULL: the kernel; of an event its system
 * @name: the function or event
 * @visit: called for each argument
 * @arg: passed to @visit
 *
 * Return: 0; the value from @visit that ended it; -ENOENT: they are not known (the error text says
 * why); another -errno.
 */
KCATCH_API int kcatch_signature_read(struct kcatch_signatures *signatures,
				     enum kcatch_mechanism mechanism, const char *module,
				     const char *name, kcatch_signature_visit *visit, void *arg);

/**
 * kcatch_signature_fields - tell the fields of an event, as tracefs calls them
 * @signatures: from kcatch_signatures_create()
 * @system: system of the event
 * @name: the event
 * @visit: called for each field with its expression over the arguments in place of a type
 * @arg: passed to @visit
 *
 * Return: 0, also if none is known; the value from @visit that ended it; -ENOMEM.
 */
KCATCH_API int kcatch_signature_fields(struct kcatch_signatures *signatures, const char *system,
				       const char *name, kcatch_signature_visit *visit, void *arg);

/**
 * kcatch_signatures_destroy - free the object
 * @signatures: may be NULL
 */
KCATCH_API void kcatch_signatures_destroy(struct kcatch_signatures *signatures);

/**
 * kcatch_inlined_list - tell which functions have inlined copies of a function
 * @module: the loaded module that is searched; NULL: the kernel itself
 * @name: the function, as the source calls it
 * @visit: called for each function that has some, in the order of their names, with the number
 *	of copies in it; and before that, with NULL and 0, when the debug information is there
 * @arg: passed to @visit
 *
 * Reads all debug information (DWARF) of the module, or of the kernel, which takes ten seconds.
 *
 * Return: 0, also if there are none; the value from @visit that ended the list; -ENODATA: they are
 * not known without debug information (the error text says what to install); -ENOMEM.
 */
KCATCH_API int
kcatch_inlined_list(const char *module, const char *name,
		    int (*visit)(const char *function, unsigned int copies, void *arg), void *arg);

#ifdef __cplusplus
}
#endif

#endif
