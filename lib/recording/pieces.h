/* SPDX-License-Identifier: GPL-2.0-or-later OR LGPL-2.1 */
/* pieces.h - the pieces of a recording that is written in pieces, each a recording of its own */
#ifndef LIB_RECORDING_PIECES_H
#define LIB_RECORDING_PIECES_H

#include <stddef.h>
#include <stdint.h>

/* Room for ".piece-00000001" and a null byte: the name of a piece that is not whole yet. */
#define KCATCH_PIECE_NAME 16
#define KCATCH_PIECES_MAX 99999999U

/**
 * struct kcatch_recording_pieces - the pieces that a directory has
 * @numbers: their numbers, from 1, in order; allocated
 * @nr: number of entries in @numbers
 */
struct kcatch_recording_pieces {
	uint32_t *numbers;
	size_t nr;
};

/**
 * kcatch_piece_name - the name of a piece's directory
 * @number: its number, 1 to KCATCH_PIECES_MAX
 * @name: receives a dot and the name. With the dot it is a piece that is being made or removed, and
 *	readers do not look at it
 *
 * Return: the name without the dot, which is in @name.
 */
const char *kcatch_piece_name(uint32_t number, char name[KCATCH_PIECE_NAME]);

/**
 * kcatch_pieces_list - find the pieces of a directory
 * @directory: descriptor of the directory
 * @pieces: receives the pieces; free @numbers
 *
 * Return: 0, also if there is none; -ENOMEM or another -errno with an error text.
 */
int kcatch_pieces_list(int directory, struct kcatch_recording_pieces *pieces);

#endif
