/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/approval_news.h"

#include <string.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"

#define NAMED_MAX 3

/* What the other has in a row like that; NULL: it has none. */
static const char *text_like(const struct approval_content *content,
                             const struct approval_content *other, size_t field)
{
    const char *label = content->fields[field].label;
    size_t before = 0; /* there can be several */

    for (size_t i = 0; i < field; i++)
        before += strcmp(content->fields[i].label, label) == 0;
    for (size_t i = 0; i < other->count; i++)
        if (strcmp(other->fields[i].label, label) == 0 && before-- == 0)
            return other->fields[i].text;
    return NULL;
}

/* Names those of one that the other has otherwise, or only those that it has not at all. */
static size_t add_labels(struct strbuf *out, const struct approval_content *content,
                         const struct approval_content *other, bool absent)
{
    size_t count = 0;

    for (size_t i = 0; i < content->count; i++) {
        const struct approval_field *field = &content->fields[i];
        const char *text = text_like(content, other, i);

        if ((absent ? text != NULL : text_same(text, field->text)) ||
            (count > 0 && strcmp(field->label, content->fields[i - 1].label) == 0))
            continue;
        strbuf_addf(out, "%s%s", out->length > 0 ? ", " : "", field->label);
        count++;
    }
    return count;
}

char *approval_news_words(const struct approval_content *before,
                          const struct approval_content *after)
{
    cleanup_strbuf struct strbuf labels = STRBUF_INIT;
    size_t count = add_labels(&labels, after, before, false);

    count += add_labels(&labels, before, after, true);
    return count > 0 && count <= NAMED_MAX && text_same(before->command, after->command)
               ? xasprintf(_("Just changed: %s. Look again."), strbuf_str(&labels))
               : xstrdup(_("This request has just changed: look again."));
}
