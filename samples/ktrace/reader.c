// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader: shows the DO_TRACE events that debugfs ktrace/ recorded, one a line
 *
 *	cc -I .../include -o reader reader.c
 *	echo 1 > /sys/kernel/debug/ktrace/enabled; ./reader
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uapi/kcatch.h>

#define KTRACE "/sys/kernel/debug/ktrace"

static struct { char name[64], format[1024]; } events[4096];	/* by number, from info */

/* The arguments lie one after the other, each as large as its conversion says. */
static void show(const char *format, const char *data)
{
	for (; *format; format++) {
		char conversion[8] = "%ll", kind;
		long long value = 0;
		int n, size;

		if (*format != '%' || *++format == '%') {
			putchar(*format);
			continue;
		}
		n = strcspn(format, "diouxXcps");
		kind = format[n];
		if (kind == 's') {
			data += printf("%s", data) + 1;
		} else {
			size = kind == 'c' || !strncmp(format + (n > 1 ? n - 2 : 0), "hh", 2) ? 1 :
			       n && format[n - 1] == 'h' ? 2 :
			       kind == 'p' || (n && strchr("lzjt", format[n - 1])) ? 8 : 4;
			memcpy(&value, data, size);
			data += size;
			if (kind == 'd' || kind == 'i')		/* with its sign */
				value = (long long)((unsigned long long)value << (64 - 8 * size)) >> (64 - 8 * size);
			conversion[3] = kind == 'p' ? 'x' : kind == 'c' ? 'd' : kind;
			printf(conversion, value);
		}
		format += n;
	}
}

static void read_cpu(int cpu, int file)
{
	static char data[1 << 17] __attribute__((aligned(8)));
	ssize_t size, at, end;

	while ((size = read(file, data, sizeof(data))) > 0)
		for (at = 0; at < size; ) {		/* packets, and records in them */
			const struct kcatch_packet *packet = (void *)(data + at);

			end = at + packet->content_size / 8;
			for (at += sizeof(*packet); at < end; ) {
				const struct kcatch_event_record *record = (void *)(data + at);
				unsigned int id = KCATCH_RECORD_PROBE(record->head.id) % 4096;

				printf("%llu cpu %d tid %u %s ", record->head.time, cpu, record->tid, events[id].name);
				show(events[id].format, (const char *)record->data);
				putchar('\n');
				at += record->head.size;
			}
		}
}

int main(void)
{
	char line[2048], name[64], format[1024], path[64], *from, *to;
	FILE *info = fopen(KTRACE "/info", "r");
	unsigned int id, c;
	int cpu, file;

	while (info && fgets(line, sizeof(line), info)) {
		if (sscanf(line, "name '%63[^']' format '%1023[^']' id %u", name, format, &id) != 3 || id > 4095)
			continue;
		for (from = to = format; *from; from++, to++) {	/* \ooo is a byte */
			*to = *from;
			if (*from == '\\' && sscanf(from + 1, "%3o", &c) == 1) {
				*to = (char)c;
				from += 3;
			}
		}
		*to = '\0';
		strcpy(events[id].name, name);
		strcpy(events[id].format, format);
	}
	for (cpu = 0; snprintf(path, sizeof(path), KTRACE "/buffers/cpu%d", cpu), (file = open(path, O_RDONLY)) >= 0; cpu++) {
		read_cpu(cpu, file);
		close(file);
	}
	return !info || !cpu;
}
