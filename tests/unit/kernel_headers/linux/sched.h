/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing: tests/unit/fetch_fixture.h has what kernel/program/fetch.h needs. */
