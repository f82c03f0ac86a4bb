// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Description: the headers of a packet say what is in their bytes, and what is behind the last byte
 * is not known: each packet is cut at each byte, in memory of just that size, and no address, port
 * or name becomes another one by it.
 */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fetch/packet.h"

#define IP4(length, proto, fragment)                                                               \
	0x40 | (length) / 4, 0, 0, 60, 0, 1, (fragment) >> 8, (fragment)&255, 64, proto, 0, 0, 10, \
		0, 0, 1, 10, 0, 0, 2
#define IP6(next)                                                                                \
	0x60, 0, 0, 0, 0, 20, next, 64, 0xfd, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xfd, \
		9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
#define PORTS      0x01, 0xbb, 0xd7, 0x52
#define TCP(flags) PORTS, 0, 0, 0, 1, 0, 0, 0, 2, 0x50, flags, 0, 0, 0, 0, 0, 0

enum { IP = 0x0800, IP_6 = 0x86dd, ARP = 0x0806, VLAN = 0x8100 };

/* @network, @mac: 64 and 50, where they are 0. */
static const struct sample {
	const char *text;
	uint16_t frame, network, mac, size;
	uint8_t bytes[80];
} samples[] = {
#define SAMPLE(text, frame, network, mac, ...)                                 \
	{                                                                      \
		text, frame, network, mac, sizeof((uint8_t[]){ __VA_ARGS__ }), \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
	SAMPLE("10.0.0.1:443 > 10.0.0.2:55122 tcp SYN,ACK", IP, 0, 0, IP4(20, 6, 0), TCP(0x12)),
	SAMPLE("10.0.0.1:443 > 10.0.0.2:55122 tcp none", IP, 0, 0, IP4(20, 6, 0), TCP(0)),
	SAMPLE("10.0.0.1:443 > 10.0.0.2:55122 tcp FIN,PSH,ACK", IP, 0, 0, IP4(28, 6, 0x4000), 1, 1,
	       1, 1, 1, 1, 1, 1, TCP(0x19)),
	SAMPLE("10.0.0.1:443 > 10.0.0.2:55122 udp", 0, 0, 0xffff, IP4(20, 17, 0x2000), PORTS, 0, 8,
	       0, 0),
	SAMPLE("10.0.0.1 > 10.0.0.2 udp fragment at 1480", IP, 0, 0, IP4(20, 17, 185), 7, 7, 7, 7),
	SAMPLE("10.0.0.1 > 10.0.0.2 icmp unreachable code=3", IP, 0, 0, IP4(20, 1, 0), 3, 3, 0, 0),
	SAMPLE("10.0.0.1 > 10.0.0.2 icmp type=42", IP, 0, 0, IP4(20, 1, 0), 42, 0),
	SAMPLE("10.0.0.1 > 10.0.0.2 proto=99", IP, 0, 0, IP4(20, 99, 0), 1, 2, 3, 4),
	SAMPLE("[fd09::1]:443 > [fd09::2]:55122 tcp RST", IP_6, 0, 0, IP6(6), TCP(4)),
	SAMPLE("fd09::1 > fd09::2 icmp6 neighbor-solicitation", IP_6, 0, 0, IP6(58), 135, 0),
	SAMPLE("fd09::1 > fd09::2 icmp6 type=143", IP_6, 0, 0, IP6(0), 58, 0, 5, 2, 0, 0, 1, 0, 143,
	       0, 0, 0),
	SAMPLE("[fd09::1]:443 > [fd09::2]:55122 udp", IP_6, 0, 0, IP6(44), 17, 0, 0, 1, 0, 0, 0, 9,
	       PORTS),
	SAMPLE("fd09::1 > fd09::2 udp fragment at 1448", IP_6, 0, 0, IP6(44), 17, 0, 5, 0xa9, 0, 0,
	       0, 9, PORTS),
	SAMPLE("arp who-has 10.0.0.2 tell 10.0.0.1", ARP, 0, 0, 0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0,
	       0, 1, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2),
	SAMPLE("arp 10.0.0.1 is-at 02:00:00:00:00:01", ARP, 0, 0, 0, 1, 8, 0, 6, 4, 0, 2, 2, 0, 0,
	       0, 0, 1, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 0, 0, 2),
	/* the tag behind the network header's place, and before it */
	SAMPLE("10.0.0.1:443 > 10.0.0.2:55122 udp", VLAN, 0, 0, 0, 7, 8, 0, IP4(20, 17, 0), PORTS),
	SAMPLE("10.0.0.1:443 > 10.0.0.2:55122 udp", VLAN, 68, 0, IP4(20, 17, 0), PORTS),
	SAMPLE("vlan", VLAN, 72, 0, IP4(20, 17, 0), PORTS),
	SAMPLE("frame=0x8847", 0x8847, 0, 0, 0x45, 0, 0, 0),
	/* The header is not set, or is no such header. */
	SAMPLE("ip", IP, 0xffff, 0, IP4(20, 6, 0), TCP(2)),
	SAMPLE("ip", IP, 40, 0, IP4(20, 6, 0), TCP(2)),
	SAMPLE("", 0, 0xffff, 0xffff, IP4(20, 6, 0), TCP(2)),
	SAMPLE("ip", IP, 0, 0, IP6(6), TCP(2)),
	SAMPLE("ip", IP, 0, 0, 0x44, 0, 0, 60, 0, 1, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2),
	SAMPLE("ip6", IP_6, 0, 0, IP4(20, 6, 0), TCP(2)),
};

static void text_of(const struct sample *sample, size_t size, char *text)
{
	uint8_t *bytes = malloc(size ? size : 1);
	struct kcatch_packet_headers packet;

	assert_non_null(bytes);
	memcpy(bytes, sample->bytes, size);
	kcatch_packet_read(bytes, size, sample->network ? sample->network : 64,
			   sample->mac ? sample->mac : 50, htons(sample->frame), &packet);
	*text = '\0';
	assert_true(kcatch_packet_text(&packet, text, KCATCH_PACKET_TEXT) == strlen(text));
	free(bytes);
}

/* Each word of a text but those that say that something is not known: is it one of the others? */
static bool says_no_other(const char *less, const char *all)
{
	char copy[KCATCH_PACKET_TEXT], *word, *end, *rest = copy;

	strcpy(copy, less);
	while ((word = strsep(&rest, " "))) {
		end = word + strlen(word);
		if (end - word > 2 && !strcmp(end - 2, ":?"))
			end[-2] = '\0';
		if (word[0] == '[' && end[-2] == '\0')
			end[-3] = '\0', word++;
		if (!strstr(all, word))
			return false;
	}
	return true;
}

static void what_bytes_say(void **state)
{
	char text[KCATCH_PACKET_TEXT];
	size_t i, size;

	(void)state;
	for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *sample = &samples[i];

		text_of(sample, sample->size, text);
		assert_string_equal(text, sample->text);
		for (size = 0; size < sample->size; size++) {
			text_of(sample, size, text);
			if (strcmp(text, "ip") && strcmp(text, "ip6") && strcmp(text, "vlan") &&
			    !says_no_other(text, sample->text))
				fail_msg("%zu bytes of \"%s\" say \"%s\"", size, sample->text,
					 text);
		}
	}
	text_of(&samples[0], 23, text);
	assert_string_equal(text, "10.0.0.1:? > 10.0.0.2:? tcp");
	text_of(&samples[0], 33, text);
	assert_string_equal(text, "10.0.0.1:443 > 10.0.0.2:55122 tcp");
	text_of(&samples[0], 19, text);
	assert_string_equal(text, "ip");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_bytes_say),
	};

	return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
