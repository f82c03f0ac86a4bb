/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/*
 * hash.c - hashes that depend on a secret
 */
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include <kcatch_containers.h>

/* Early at boot there is no randomness yet: then it is at least not the same everywhere. */
static uint64_t make_secret(void)
{
	struct timespec now;
	uint64_t secret;

	if (getrandom(&secret, sizeof(secret), GRND_NONBLOCK) == sizeof(secret))
		return secret | 1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return ((uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15ULL ^ (uintptr_t)&now) | 1;
}

uint64_t kcatch_hash_secret(void)
{
	static uint64_t secret;
	uint64_t value = __atomic_load_n(&secret, __ATOMIC_RELAXED), none = 0;

	if (value)
		return value;
	/* Another thread may be first: all get the one that is kept. */
	value = make_secret();
	return __atomic_compare_exchange_n(&secret, &none, value, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED) ? value : none;
}

/* 128 bits of a product, folded: each bit of the result depends on all of @left and @right. */
static uint64_t fold(uint64_t left, uint64_t right)
{
	unsigned __int128 product = (unsigned __int128)left * right;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint32_t kcatch_hash_bytes(const char *key, size_t length)
{
	const uint64_t secret = kcatch_hash_secret();
	uint64_t hash = length, word;

	/* Most keys of this size are one number. */
	if (length == sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		return kcatch_hash_number(word, secret);
	}
	for (; length > sizeof(word); length -= sizeof(word), key += sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		hash = fold(hash ^ word ^ secret >> 17, secret);
	}
	word = 0;
	memcpy(&word, key, length);
	hash = fold(hash ^ word ^ secret >> 17, secret);
	return (uint32_t)(hash ^ hash >> 32);
}
