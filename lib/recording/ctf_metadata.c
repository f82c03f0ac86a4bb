/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * ctf_metadata.c - the description of a recording's packets, in TSDL (CTF 1.8)
 *
 * The structures are those of <uapi/kcatch.h>, byte for byte: the packets are in the files
 * as the kernel wrote them. A record's size is a multiple of 8 bytes; the alignment of the event
 * header makes the next record begin there. Fields without meaning for CTF readers (the record's
 * size, reserved fields) are skipped by alignment, too.
 */
#include <string.h>

#include <uapi/kcatch.h>

#include "fetch/decode_event.h"
#include "recording/ctf_metadata.h"

static const char head[] =
"/* CTF 1.8 */\n"
"\n";

static const char trace[] =
"trace {\n"
"	major = 1;\n"
"	minor = 8;\n"
"	byte_order = le;\n"
"	packet.header := struct {\n"
"		u32 magic;\n"
"		u32 stream_id;\n"
"		u8 uuid[16];\n"
"	} align(64);\n"
"};\n"
"\n";

static const char stream[] =
"typealias integer { size = 64; align = 64; signed = false; map = clock.kcatch.value; } := time64;\n"
"\n"
"stream {\n"
"	id = 0;\n"
"	packet.context := struct {\n"
"		time64 timestamp_begin;\n"
"		time64 timestamp_end;\n"
"		u64 content_size;\n"
"		u64 packet_size;\n"
"		u64 events_discarded;\n"
"		u64 packet_seq_num;\n"
"		u32 cpu_id;\n"
"	} align(64);\n"
"	event.header := struct {\n"
"		u32 id;\n"
"		time64 timestamp;\n"
"	} align(64);\n"
"};\n"
"\n";

/* What the records begin with, for each kind. CTF knows no inheritance. */
#define TASK \
"		u32 _pid;\n" \
"		u32 _tid;\n" \
"		text8 _comm[16];\n"

#define HIT \
TASK \
"		x8 _context;\n" \
"		x8 _stack_flags;\n" \
"		u16 _nr_frames;\n" \
"		u8 _interrupted[4];\n" \
"		x64 _frames[_nr_frames];\n"

#define CALL_PART \
"		u64 %s;\n" \
"		u64 _latency;\n" \
"		u64 _runnable;\n" \
"		u64 _blocked;\n" \
"		%s _ret;\n" \
"		x64_w _faults[2];\n" \
"		x64 _cut[2];\n" \
"		u16 _size[2];\n" \
"		u32 _user_size;\n" \
"		u32 _switches;\n" \
"		u32 _reserved;\n"

void kcatch_ctf_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	fputc('"', out);
	for (; *at; at++) {
		if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20 || *at == 0x7f)
			fprintf(out, "\\%03o", *at);
		else
			fputc(*at, out);
	}
	fputc('"', out);
}

void kcatch_ctf_begin(struct kcatch_ctf *ctf, const struct kcatch_ctf_clock *clock, const char *env)
{
	/* When the clock was 0, in real time; the fraction in its own ticks. */
	unsigned __int128 realtime = (unsigned __int128)clock->realtime * clock->frequency;
	unsigned __int128 ticks = realtime / 1000000000U;
	uint64_t seconds, rest;

	ticks = ticks > clock->at ? ticks - clock->at : 0;
	seconds = (uint64_t)(ticks / clock->frequency);
	rest = (uint64_t)(ticks % clock->frequency);
	fputs(head, ctf->out);
	kcatch_ctf_prelude(ctf);
	fputs(trace, ctf->out);
	fprintf(ctf->out, "env {\n%s};\n\n", env);
	fprintf(ctf->out,
		"clock {\n\tname = \"kcatch\";\n\tdescription = \"the clock of the session\";\n"
		"\tfreq = %llu;\n\toffset_s = %llu;\n\toffset = %llu;\n};\n\n",
		(unsigned long long)clock->frequency, (unsigned long long)seconds,
		(unsigned long long)rest);
	fputs(stream, ctf->out);
}

/*
 * Fields of the records themselves, beside which the fields of a DO_TRACE event stand: babeltrace2
 * aborts if two have the same name.
 */
static const char *const own_names[] = {
	"pid", "tid", "comm", "context", "stack_flags", "nr_frames", "interrupted", "frames",
	"call", "entered", "latency", "runnable", "blocked", "ret", "faults", "cut", "size", "user_size",
	"switches", "reserved", "user", "user_stack", "end_of_record",
};

typedef char field_name[KCATCH_EVENT_NAME_LEN + 16];

static bool is_taken(const char *name, field_name *before, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < sizeof(own_names) / sizeof(own_names[0]); i++)
		if (kcatch_ctf_same_name(name, own_names[i]))
			return true;
	for (i = 0; i < nr; i++)
		if (kcatch_ctf_same_name(name, before[i]))
			return true;
	return false;
}

/* The name of field @index, or where that is taken: with its number, and without the underscores
 * before it, of which babeltrace2 shows some. */
static void name_field(const char *format, uint32_t index, field_name *names)
{
	char plain[KCATCH_EVENT_NAME_LEN];
	uint32_t more = index;

	kcatch_event_field_name(format, index, plain, sizeof(plain));
	snprintf(names[index], sizeof(names[index]), "%s", plain);
	/* Another field may be called like this one with its number. */
	for (; is_taken(names[index], names, index); more += KCATCH_EVENT_ARGS_MAX)
		snprintf(names[index], sizeof(names[index]), "%s_%u",
			 plain + strspn(plain, "_"), more);
}

static void put_info(FILE *out, const struct kcatch_event_info *info)
{
	field_name names[KCATCH_EVENT_ARGS_MAX];
	uint32_t i;

	for (i = 0; i < info->nr_args && i < KCATCH_EVENT_ARGS_MAX; i++) {
		uint8_t arg = info->args[i];
		unsigned int bits = (arg & KCATCH_EVENT_ARG_SIZE) * 8;

		if (arg & KCATCH_EVENT_ARG_STRING)
			fputs("\t\tstring { encoding = UTF8; } ", out);
		else
			fprintf(out, "\t\t%s%u_b ", arg & KCATCH_EVENT_ARG_POINTER ? "x" :
				arg & KCATCH_EVENT_ARG_SIGNED ? "s" : "u", bits);
		name_field(info->format, i, names);
		kcatch_ctf_name(out, names[i]);
		fputs(";\n", out);
	}
	/* As a plan's structs do: records end at words. (An argument may be called end.) */
	fputs("\t\tstruct { } align(64) _end_of_record;\n", out);
}

/* Where a plan's data follows. A DO_TRACE event has its arguments' bytes there. */
static void put_data(FILE *out, const struct kcatch_ctf_event *event, unsigned int kind)
{
	if (event->info) {
		put_info(out, event->info);
		return;
	}
	if (event->plan == ~0U)
		return;
	if (kind != KCATCH_RECORD_RETURN)
		fprintf(out, "\t\tstruct entry_%u _args;\n", event->plan);
	if (kind == KCATCH_RECORD_RETURN || kind == KCATCH_RECORD_CALL)
		fprintf(out, "\t\tstruct return_%u _returned;\n", event->plan);
}

static void put_fields(FILE *out, const struct kcatch_ctf_event *event, unsigned int kind)
{
	const char *ret = kind == KCATCH_RECORD_CALL ? event->ret : "x64_w";

	switch (kind) {
	case KCATCH_RECORD_HIT:
		fputs(HIT, out);
		return;
	case KCATCH_RECORD_ENTRY:
	case KCATCH_RECORD_CALL:
		fputs(HIT, out);
		fprintf(out, CALL_PART, kind == KCATCH_RECORD_CALL ? "_entered" : "_call", ret);
		put_data(out, event, kind);
		if (event->user_stack)
			fputs("\t\tstruct { } align(64) _user;\n\t\tx8 _user_stack[_user_size];\n",
			      out);
		return;
	case KCATCH_RECORD_RETURN:
		fprintf(out, "\t\tu32 _pid;\n\t\tu32 _tid;\n\t\tu64 _call;\n\t\tu64 _latency;\n"
			"\t\tu64 _runnable;\n\t\tu64 _blocked;\n\t\t%s _ret;\n"
			"\t\tx64_w _faults;\n\t\tx64 _cut;\n\t\tu32 _size;\n\t\tu32 _switches;\n",
			event->ret);
		put_data(out, event, kind);
		return;
	case KCATCH_RECORD_MARKED:
		fputs(TASK "\t\tx64 _faults;\n\t\tx64 _cut;\n", out);
		put_data(out, event, kind);
		return;
	default:
		fputs(TASK, out);
		put_data(out, event, kind);
	}
}

void kcatch_ctf_event(struct kcatch_ctf *ctf, const struct kcatch_ctf_event *event)
{
	static const char *const ends[] = {
		[KCATCH_RECORD_HIT] = "", [KCATCH_RECORD_ENTRY] = ":entry",
		[KCATCH_RECORD_RETURN] = ":return", [KCATCH_RECORD_CALL] = ":call",
		[KCATCH_RECORD_EVENT] = "", [KCATCH_RECORD_MARKED] = "",
	};
	bool is_call = event->kinds & (1U << KCATCH_RECORD_RETURN);
	unsigned int kind;
	char name[1200];

	for (kind = KCATCH_RECORD_HIT; kind <= KCATCH_RECORD_MARKED; kind++) {
		if (!(event->kinds & (1U << kind)))
			continue;
		snprintf(name, sizeof(name), "%.1100s%s", event->name,
			 kind != KCATCH_RECORD_ENTRY || is_call ? ends[kind] : "");
		fputs("event {\n\tname = ", ctf->out);
		kcatch_ctf_string(ctf->out, name);
		fprintf(ctf->out, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct {\n",
			KCATCH_RECORD_ID(kind, event->probe));
		put_fields(ctf->out, event, kind);
		/* Even where records have no other field that begins at a word. */
		fputs("\t} align(64);\n};\n", ctf->out);
	}
}
