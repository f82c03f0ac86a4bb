/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * libdw.h - elfutils' libdw, loaded at run time when it is needed
 *
 * Linking it would double the start-up time of the command.
 */
#ifndef LIB_DEBUGINFO_LIBDW_H
#define LIB_DEBUGINFO_LIBDW_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

/* Functions used of libdw and libelf: name of the struct member, name of the function. */
#define KCATCH_LIBDW_FUNCTIONS(f)				\
	f(begin, dwfl_begin)					\
	f(end, dwfl_end)					\
	f(report_offline, dwfl_report_offline)			\
	f(report_begin_add, dwfl_report_begin_add)		\
	f(report_module, dwfl_report_module)			\
	f(report_end, dwfl_report_end)				\
	f(proc_report, dwfl_linux_proc_report)			\
	f(proc_find_elf, dwfl_linux_proc_find_elf)		\
	f(find_debuginfo, dwfl_build_id_find_debuginfo)		\
	f(offline_section, dwfl_offline_section_address)	\
	f(module_elf, dwfl_module_getelf)			\
	f(module_dwarf, dwfl_module_getdwarf)			\
	f(module_symtab, dwfl_module_getsymtab)			\
	f(module_sym, dwfl_module_getsym)			\
	f(module_info, dwfl_module_info)			\
	f(module_addrinfo, dwfl_module_addrinfo)		\
	f(module_build_id, dwfl_module_build_id)		\
	f(addrmodule, dwfl_addrmodule)				\
	f(getmodules, dwfl_getmodules)				\
	f(attach_state, dwfl_attach_state)			\
	f(getthreads, dwfl_getthreads)				\
	f(thread_getframes, dwfl_thread_getframes)		\
	f(thread_registers, dwfl_thread_state_registers)	\
	f(thread_pc, dwfl_thread_state_register_pc)		\
	f(frame_pc, dwfl_frame_pc)				\
	f(elf_build_id, dwelf_elf_gnu_build_id)			\
	f(debugaltlink, dwelf_dwarf_gnu_debugaltlink)		\
	f(addrdie, dwarf_addrdie)				\
	f(nextcu, dwarf_nextcu)					\
	f(offdie, dwarf_offdie)					\
	f(child, dwarf_child)					\
	f(siblingof, dwarf_siblingof)				\
	f(haspc, dwarf_haspc)					\
	f(tag, dwarf_tag)					\
	f(diename, dwarf_diename)				\
	f(attr, dwarf_attr)					\
	f(formudata, dwarf_formudata)				\
	f(formstring, dwarf_formstring)				\
	f(getsrc_die, dwarf_getsrc_die)				\
	f(linesrc, dwarf_linesrc)				\
	f(lineno, dwarf_lineno)					\
	f(getsrcfiles, dwarf_getsrcfiles)			\
	f(filesrc, dwarf_filesrc)				\
	f(elf_version, elf_version)				\
	f(elf_begin, elf_begin)					\
	f(elf_memory, elf_memory)				\
	f(elf_end, elf_end)					\
	f(elf_class, gelf_getclass)				\
	f(nextscn, elf_nextscn)					\
	f(getshdr, gelf_getshdr)				\
	f(getshdrstrndx, elf_getshdrstrndx)			\
	f(strptr, elf_strptr)

#define KCATCH_LIBDW_MEMBER(member, name) __typeof__(name) *member;

struct kcatch_libdw {
	void *library;
	KCATCH_LIBDW_FUNCTIONS(KCATCH_LIBDW_MEMBER)
};

/**
 * kcatch_libdw_open - load libdw
 * @dw: receives the library's functions
 *
 * Return: 0; -EOPNOTSUPP libdw is not installed or too old.
 */
int kcatch_libdw_open(struct kcatch_libdw *dw);

/**
 * kcatch_libdw_close - unload libdw
 * @dw: zeroed or open
 */
void kcatch_libdw_close(struct kcatch_libdw *dw);

#endif
