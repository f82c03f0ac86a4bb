/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * histogram.h - a histogram of times in little memory
 *
 * Each power of two is divided into 16 parts, so a percentile is off by at most 1/32 (3 %).
 * Minimum and maximum are exact. Memory: 520 bytes, and 128 bytes for each power of two that
 * occurs.
 */
#ifndef REPORT_HISTOGRAM_H
#define REPORT_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_PARTS 16U	/* parts of a row */
#define HISTOGRAM_POWERS 61U	/* rows: one for 0 to 15, and one for each of 2^4 to 2^63 */

/**
 * struct histogram - zeroed: empty
 * @powers: counts by row and part; NULL: the row is empty
 * @count: number of values
 * @least: smallest value
 * @most: largest value
 * @sum: sum of the values
 */
struct histogram {
	uint64_t *powers[HISTOGRAM_POWERS];
	uint64_t count;
	uint64_t least;
	uint64_t most;
	double sum;
};

/**
 * histogram_add - count a value
 * histogram_add_many - count a value several times
 * @histogram: the histogram
 * @value: the value
 * @count: how often
 *
 * Return: 0, or -ENOMEM with an error text.
 */
int histogram_add(struct histogram *histogram, uint64_t value);
int histogram_add_many(struct histogram *histogram, uint64_t value, uint64_t count);

/**
 * histogram_deinit - free the rows
 * @histogram: the histogram
 */
void histogram_deinit(struct histogram *histogram);

/**
 * histogram_percentile - the value that @percent per cent of the values do not exceed
 * @histogram: the histogram
 * @percent: 0 to 100; 100: the exact maximum
 *
 * Return: the middle of that value's part; 0: the histogram is empty.
 */
uint64_t histogram_percentile(const struct histogram *histogram, double percent);

/**
 * histogram_power - count the values v with 2^power <= v < 2^(power + 1)
 * @histogram: the histogram
 * @power: 0 to 63; 0 also counts the value 0
 *
 * Return: the number of values.
 */
uint64_t histogram_power(const struct histogram *histogram, unsigned int power);

#endif
