/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing: tests/unit/pair_table_fixture.h has what kernel/hit/pair.c needs. */
