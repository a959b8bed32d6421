/* SPDX-License-Identifier: MIT */
/*
 * key_rows: the key of an approval (approval/keys.h), a row for each thing that has to be the same.
 */
#ifndef ASSENT_UI_KEY_ROWS_H
#define ASSENT_UI_KEY_ROWS_H

#include "base/strbuf.h"

/* What says nothing (no variables, no terminal) is left out. A key that is none of ours is a row as
 * it is. Nothing of it begins a row of its own. */
void key_rows(struct strbuf *out, const char *key);

#endif
