/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_recording.h - read a recording as a user does: all of it, in all forms */
#ifndef TESTS_FUZZ_SHOW_RECORDING_H
#define TESTS_FUZZ_SHOW_RECORDING_H

#include <stdint.h>

/**
 * struct show_options - how, three bytes of an input
 * @view: bits of struct render_options and of struct report_options
 * @format: a report that is made with other options and the condition
 * @reports: divisible by 4: each report is made as well
 */
struct show_options {
	uint8_t view;
	uint8_t format;
	uint8_t reports;
};

/**
 * show_recording - read a directory to its end, in text, JSON and reports
 * @directory: the directory
 * @condition: of a filter; NULL: none
 * @options: how
 */
void show_recording(const char *directory, const char *condition,
		    const struct show_options *options);

#endif
