/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram.h - how times are distributed, in little memory
 *
 * Each power of two is divided into 16: a percentile is right to about 3 %. Least, most
 * and sum are exact. Memory: 600 bytes and 128 for each power of two that occurs.
 */
#ifndef REPORT_HISTOGRAM_H
#define REPORT_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_PARTS 16U
#define HISTOGRAM_POWERS 61U

/** struct histogram - zeroed is empty */
struct histogram {
	uint64_t *powers[HISTOGRAM_POWERS];
	uint64_t count;
	uint64_t least;
	uint64_t most;
	double sum;
};

/**
 * histogram_add - one more
 * @histogram: the histogram
 * @value: the value
 *
 * Return: 0 or -ENOMEM.
 */
int histogram_add(struct histogram *histogram, uint64_t value);

/**
 * histogram_deinit - give its memory back
 * @histogram: the histogram
 */
void histogram_deinit(struct histogram *histogram);

/**
 * histogram_percentile - so many of a hundred are not above this
 * @histogram: the histogram
 * @percent: 0 to 100
 *
 * Return: the value, 0 when it is empty.
 */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);

/**
 * histogram_power - how many lie from 2^@power up to below 2^(@power + 1)
 * @histogram: the histogram
 * @power: 0 to 63; with 0 also those that are 0
 *
 * Return: how many.
 */
uint64_t histogram_power(const struct histogram *histogram, unsigned int power);

#endif
