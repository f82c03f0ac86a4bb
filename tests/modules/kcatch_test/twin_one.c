// SPDX-License-Identifier: GPL-2.0-only
/* twin_one.c - one of two static functions of the same name */
#include "kcatch_test.h"

static KT_FUNCTION int kt_twin(int number)
{
	barrier();
	return number;
}

KT_FUNCTION int kt_twin_one(int number)
{
	return kt_twin(number) + KT_STAY;
}
