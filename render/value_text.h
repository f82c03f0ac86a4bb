/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_text.h - arguments and return values as text */
#ifndef RENDER_VALUE_TEXT_H
#define RENDER_VALUE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kcatch.h>

struct line;
struct row;

/**
 * value_text_escaped - write untrusted bytes so that a terminal can show them
 * @out: the output
 * @text: the bytes, escaped as kcatch_text_escape() does
 * @length: number of bytes
 * @quote: put them in double quotes, and escape quotes
 */
void value_text_escaped(FILE *out, const char *text, size_t length, bool quote);

/**
 * value_text_in_line - add an untrusted string to a line, escaped
 * @line: the line; it is written first if the string cannot be added as it is
 * @text: the string
 */
void value_text_in_line(struct line *line, const char *text);

#define VALUE_CHANGES 4	/* limit of changes, so that a line can be read at a glance */

/**
 * value_text_argument - write name=value in one line
 * @out: the output
 * @value: an argument or a member
 * @changes: show at most this many changes of the pointee, each of them shortened, and the
 *	number of the others; 0: all changes in full
 *
 * A pointer to a number is shown as *name=number. Members of the pointee that the call
 * changed are shown as name={member: before => after}; where the pointee has a readable form,
 * only with @changes 0.
 */
void value_text_argument(FILE *out, const struct kcatch_value *value, unsigned int changes);

/**
 * value_text_entry - write name=value as it was at the entry
 * @out: the output
 * @value: an argument
 */
void value_text_entry(FILE *out, const struct kcatch_value *value);

/**
 * value_text_changes - write what the call changed in the pointee: "*pos: 0 => 4096",
 *	"res.type: 0 => 2", and of what was read at the return alone "buf: \"root\""
 * @row: receives a word for each change
 * @value: an argument; without a change, nothing is written
 * @most: as @changes of value_text_argument()
 */
void value_text_changes(struct row *row, const struct kcatch_value *value, unsigned int most);

/**
 * value_text_return - write a return value: a number, -ENOENT, true, NULL ...
 * @out: the output
 * @value: the return value
 */
void value_text_return(FILE *out, const struct kcatch_value *value);

/**
 * value_text_struct - write the members of the struct that an argument points to
 * @out: the output
 * @value: the argument; without such a struct, nothing is written
 * @lines: limit of lines; 0: no limit, and locks and list links are written as well
 */
void value_text_struct(FILE *out, const struct kcatch_value *value, unsigned int lines);

/**
 * value_text_latency - write a time with a unit: "12.3 us"
 * @ns: the time in nanoseconds
 * @text: set to the time
 * @room: size of @text, bytes; 24 suffice
 *
 * Return: @text.
 */
const char *value_text_latency(uint64_t ns, char *text, size_t room);

/**
 * value_text_spent - write where the time of a call went: "3.1 ms on the CPU, 1.8 s blocked, switched
 * out 4 times"
 * @event: the call
 * @text: set to it; empty if the call was not switched out, or if that is not known
 * @room: size of @text, bytes; 128 suffice
 *
 * Return: whether there is something to say.
 */
bool value_text_spent(const struct kcatch_event *event, char *text, size_t room);

/**
 * value_text_stack_mark - what stands behind the outermost frame of a stack that goes on
 * @end: how it ends
 *
 * Return: "[cut]" or "[lost track]"; NULL: nothing, it is whole.
 */
const char *value_text_stack_mark(enum kcatch_event_stack end);

/**
 * value_is_failure - check whether a return value means that the call failed
 * @value: the return value
 *
 * Return: whether it is a negative errno, an error pointer or NULL.
 */
bool value_is_failure(const struct kcatch_value *value);

/**
 * value_is_hidden - check whether an address must not be shown
 * @address: the address
 *
 * Return: whether it may be a kernel address (bit 63 is set, and it is no errno) and
 * kcatch_machine_hides_addresses().
 */
bool value_is_hidden(uint64_t address);

/**
 * value_hides_bits - whether a number of 64 bits may be an address that must not be shown
 * @number: the number
 * @is_signed: its type is signed
 *
 * Return: kcatch_number_may_be_address() and kcatch_machine_hides_addresses().
 */
bool value_hides_bits(uint64_t number, bool is_signed);

/**
 * value_hides_number - whether an integer may be an address that must not be shown
 * @value: an integer, or an enum without a name
 *
 * Return: whether it has 64 bits, kcatch_number_may_be_address() and
 * kcatch_machine_hides_addresses().
 */
bool value_hides_number(const struct kcatch_value *value);

/**
 * value_hides_string - whether characters may be a part of an address that must not be shown
 * @text: a string; it ends at the first byte that is 0, so a part of an address may be left
 * @length: bytes of it
 */
bool value_hides_string(const char *text, size_t length);

/**
 * value_hides_bytes - whether one of them may be a part of an address that must not be shown
 * @value: a string or bytes, with a text
 */
bool value_hides_bytes(const struct kcatch_value *value);

#define VALUE_ADDRESS_ROOM 20	/* bytes of an address as text */

/**
 * value_text_address - write an address that has no name: "0xffffffff81000000"
 * @address: the address
 * @text: set to the text, which is "<hidden>" if the address must not be shown
 * @room: size of @text, bytes; VALUE_ADDRESS_ROOM suffice
 *
 * Return: @text.
 */
const char *value_text_address(uint64_t address, char *text, size_t room);

#endif
