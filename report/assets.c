/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assets.c - scripts and pages as they lie in report/assets, inside the command
 */
#include "report.h"

/* The file, and an end mark behind it. */
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
