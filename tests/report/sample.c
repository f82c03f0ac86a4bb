/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.c - writes a report of a made-up machine at work, for tests that look at reports
 * with other programs
 *
 * usage: report_sample FORMAT [EVENTS] >FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "fake_session.h"
#include "report.h"

int main(int argc, char **argv)
{
	struct report_options options = {
		.format = argc > 1 ? report_format_find(argv[1]) : NULL,
		.rows = 5000,
		.directory = "/tmp/a recording",
		.min_share = 10,
		.title =
			"kcatch: a <machine> at work, whose title has more words than a line of the "
			"picture has room for: nothing of it is cut, and its last word is end",
		.view = { .arguments = true },
	};
	struct report report = { .options = &options, .out = stdout };

	if (!options.format) {
		fprintf(stderr, "usage: report_sample FORMAT [EVENTS]\n");
		return 1;
	}
	if (argc > 2)
		fake_busy_count = strtoull(argv[2], NULL, 10);
	report.session = fake_open(&fake_busy);
	if (report_run(&report)) {
		fprintf(stderr, "%s\n", kcatch_error_text());
		return 1;
	}
	free(report.session);
	return 0;
}
