/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram.c - a histogram of times
 *
 * Row 0 counts each value below 16 on its own. Row r counts the values from 2^(r+3) up to
 * 2^(r+4), in 16 parts of equal width.
 */
#include <stdlib.h>

#include <kcatch.h>
#include <kcatch_text.h>
#include "histogram.h"

static void place(uint64_t value, unsigned int *row, unsigned int *part)
{
	unsigned int power;

	if (value < HISTOGRAM_PARTS) {
		*row = 0;
		*part = (unsigned int)value;
		return;
	}
	power = 63 - (unsigned int)__builtin_clzll(value);
	*row = power - 3;
	*part = (value >> (power - 4)) & (HISTOGRAM_PARTS - 1);
}

/* The value in the middle of a part. */
static uint64_t middle(unsigned int row, unsigned int part)
{
	uint64_t width;

	if (!row)
		return part;
	width = 1ULL << (row - 1);
	return (HISTOGRAM_PARTS + part) * width + width / 2;
}

int histogram_add(struct histogram *histogram, uint64_t value)
{
	return histogram_add_many(histogram, value, 1);
}

int histogram_add_many(struct histogram *histogram, uint64_t value, uint64_t count)
{
	unsigned int row, part;

	place(value, &row, &part);
	if (!histogram->powers[row]) {
		histogram->powers[row] = calloc(HISTOGRAM_PARTS, sizeof(uint64_t));
		if (!histogram->powers[row])
			return kcatch_error_memory();
	}
	histogram->powers[row][part] += count;
	if (!histogram->count || value < histogram->least)
		histogram->least = value;
	if (value > histogram->most)
		histogram->most = value;
	histogram->sum += (double)value * (double)count;
	histogram->count += count;
	return 0;
}

void histogram_deinit(struct histogram *histogram)
{
	unsigned int row;

	for (row = 0; row < HISTOGRAM_POWERS; row++)
		free(histogram->powers[row]);
}

uint64_t histogram_percentile(const struct histogram *histogram, double percent)
{
	double wanted = percent / 100 * (double)histogram->count;
	uint64_t seen = 0, value;
	unsigned int row, part;

	if (percent >= 100)
		return histogram->most;
	for (row = 0; row < HISTOGRAM_POWERS; row++) {
		for (part = 0; histogram->powers[row] && part < HISTOGRAM_PARTS; part++) {
			if (!histogram->powers[row][part])
				continue;
			seen += histogram->powers[row][part];
			if ((double)seen < wanted)
				continue;
			value = middle(row, part);
			if (value < histogram->least)
				return histogram->least;
			return value > histogram->most ? histogram->most : value;
		}
	}
	return histogram->most;
}

uint64_t histogram_power(const struct histogram *histogram, unsigned int power)
{
	unsigned int row = power < 4 ? 0 : power - 3, part;
	unsigned int from = power < 4 ? (power ? 1U << power : 0) : 0;
	unsigned int to = power < 4 ? 2U << power : HISTOGRAM_PARTS;
	uint64_t count = 0;

	if (row >= HISTOGRAM_POWERS || !histogram->powers[row])
		return 0;
	for (part = from; part < to; part++)
		count += histogram->powers[row][part];
	return count;
}
