/* SPDX-License-Identifier: MIT */
/* approval_news: which rows of a request read otherwise than they did. */
#ifndef ASSENT_UI_APPROVAL_NEWS_H
#define ASSENT_UI_APPROVAL_NEWS_H

#include "ui/approval_content.h"

/* A sentence that names the rows that changed, came or went, or one that names none where nobody
 * would read so many. The caller frees. */
char *approval_news_words(const struct approval_content *before,
                          const struct approval_content *after);

#endif
