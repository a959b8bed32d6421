/* SPDX-License-Identifier: MIT */
/*
 * output: what a command printed, kept whole up to a cap.
 *
 * Bytes go to an unlinked file (never to memory without bound; the last few wait there for more).
 * When more than the cap arrives, the first half of the cap and the last half are kept and what
 * lies between is dropped and counted. Positions are those in the stream as the command wrote it,
 * so that a reader who keeps up sees everything, and one who is late learns what it missed.
 */
#ifndef ASSENT_RUN_OUTPUT_H
#define ASSENT_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

struct output;

#define OUTPUT_CAP_DEFAULT ((size_t)64 * 1024 * 1024)

/* `directory`: where the file is made (mode 0600, unlinked at once); NULL means memory-backed
 * (memfd). `cap` in bytes, at least 4,096. */
struct output *output_new(const char *directory, size_t cap, struct error *error);
void output_free(struct output **output);

/* Appends. Returns 0, or -errno when the file cannot be written (the bytes count as dropped). Small
 * pieces are written together, so that the error can be that of an earlier one. */
int output_append(struct output *output, const char *bytes, size_t length);

uint64_t output_total(const struct output *output);   /* bytes that the command wrote */
uint64_t output_dropped(const struct output *output); /* of those, no longer kept */

/* Reads kept bytes from stream position *position on: returns how many (0: nothing there yet),
 * and moves *position behind them. When the position lies in the dropped middle, *position first
 * moves to where kept bytes start again and *skipped says how many were passed over (else 0). */
size_t output_read(const struct output *output, uint64_t *position, char *bytes, size_t length,
                   uint64_t *skipped);

/* What goes back to an agent: at most 10 KiB and 256 lines, the first 128 and the last 128 lines
 * with a line "[... N lines omitted ...]" between; the head takes at most half of the bytes; cut
 * at character boundaries. Bytes are as the command wrote them. */
void output_for_agent(const struct output *output, struct strbuf *out, bool *truncated);

/* What goes into the record: first 2 KiB or 64 lines, cut at a character boundary, followed by
 * "[... telemetry preview truncated ...]" on a line of its own when something was cut. */
void output_preview(const struct output *output, struct strbuf *out);

#endif
