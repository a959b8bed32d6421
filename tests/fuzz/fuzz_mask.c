/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a command, as code and as text: what is not masked is the text's, in its order, from
 * its beginning.
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "risk/mask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check(void (*mask)(struct strbuf *, const char *, size_t), const char *text,
                  size_t length)
{
    struct strbuf out = STRBUF_INIT;
    mask(&out, text, length);
    const char *rest = strbuf_str(&out), *end = rest + out.length;
    for (bool first = true;; first = false) {
        const char *sign = memmem(rest, (size_t)(end - rest), MASK_SIGN, strlen(MASK_SIGN));
        size_t width = (size_t)((sign != NULL ? sign : end) - rest);
        if (sign == NULL) { /* the last part, wherever else there is such a one */
            must(first ? width == length : width <= length);
            must(memcmp(text + length - width, rest, width) == 0);
            break;
        }
        const char *found = width > 0 ? memmem(text, length, rest, width) : text;
        must(found != NULL && (!first || found == text));
        length -= (size_t)(found - text) + width;
        text = found + width;
        must(length > 0);
        rest = sign + strlen(MASK_SIGN);
    }
    strbuf_free(&out);
}

static void check_words(const char *text)
{
    const char *const words[] = {"bash", "-c", text, text, NULL};
    for (size_t i = 0; words[i] != NULL; i++) {
        cleanup_free char *word = mask_word(words, i);
        must(words[i][0] == '\0' || word[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The sign itself would be taken for one that was put there. */
    if (memmem(data, size, "masked", 6) != NULL)
        return 0;
    cleanup_free char *text = xmalloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    check(mask_command, text, size);
    check(mask_code, text, size);
    check(mask_text, text, size);
    check_words(text);
    return 0;
}
