/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assets.c - link the files of report/assets/ into the command
 */
#include "report.h"

/* The bytes of the file, then '\0'. */
#define ASSET(name, path)				\
	__asm__(".pushsection .rodata\n"		\
		".global " #name "\n"			\
		".hidden " #name "\n"			\
		#name ":\n"				\
		".incbin \"" path "\"\n"		\
		".byte 0\n"				\
		".popsection\n")

ASSET(report_asset_flame_js, "report/assets/flame.js");
ASSET(report_asset_page_html, "report/assets/page.html");
