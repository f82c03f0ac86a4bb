// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * client.cc - the same as client.c, as somebody writes it in C++
 */
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <kcatch.h>
#include <kcatch_stuck.h>

namespace {

struct close_session {
	void operator()(kcatch_session *session) const { kcatch_session_close(session); }
};
using session_ptr = std::unique_ptr<kcatch_session, close_session>;

bool failed;

void expect(bool good, const std::string &what)
{
	std::cout << what << ": " << (good ? "yes" : "no") << '\n';
	failed |= !good;
}

bool said(const char *text)
{
	return std::string(kcatch_error_text()).find(text) != std::string::npos;
}

struct later_request {
	kcatch_request request;
	uint64_t later;
};

void check_text()
{
	kcatch_shown shown;
	std::vector<char> text(64);

	kcatch_text_escape("a\n", 2, text.data(), text.size());
	expect(std::string(text.data()) == "a\\n", "text is escaped");
	expect(std::strstr(kcatch_text_show(&shown, "\x1b"), "\\x1b") != nullptr, "names are shown");
	expect(std::string(kcatch_errno_name(ENOENT)) == "ENOENT", "errors have names");
}

void check_recording(const char *directory)
{
	kcatch_stuck_options options;
	const kcatch_stuck *stuck = nullptr;
	kcatch_session *opened = nullptr;
	const int ret = kcatch_recording_open(directory, &opened);
	const session_ptr session(opened);

	expect(ret == -ENOENT, "no recording is there");
	expect(said(directory), "and its name is told");
	kcatch_stuck_options_init(&options);
	options.size = 1;
	expect(kcatch_stuck_create(session.get(), &options, &stuck) == -EINVAL, "a wrong size is refused");
	kcatch_stuck_destroy(stuck);
	kcatch_recorder_destroy(nullptr);
}

void check_sizes()
{
	const char *const names[] = { "vfs_read" };
	kcatch_count_request count;
	later_request later{};

	kcatch_count_request_init(&count);
	expect(count.size == sizeof(count) && !count.nr_keys, "a request to count begins empty");
	kcatch_request_init(&later.request);
	later.request.functions = names;
	later.request.nr_functions = 1;
	later.request.size = sizeof(later);
	later.later = 1;
	expect(kcatch_session_add(nullptr, &later.request) == -EINVAL, "a request of another size is refused");
	later.request.size = 0;
	expect(kcatch_session_add(nullptr, &later.request) == -EINVAL, "so is a request without a size");
	expect(said("struct kcatch_request"), "whose struct is named");
}

}

int main()
{
	const kcatch_machine *machine;

	expect(!kcatch_machine_create(&machine) && machine->release[0], "the machine is known");
	kcatch_machine_destroy(machine);
	check_text();
	check_recording("/nonexistent/recording");
	check_sizes();
	return failed;
}
