/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ui/search_hit.h"

#include "base/alloc.h"
#include "base/i18n.h"

char *search_hit_text(const struct search_hit *hit)
{
    return xasprintf(hit->round ? _("%zu of %zu, round the end") : _("%zu of %zu"), hit->number,
                     hit->count);
}

enum theme_element search_hit_element(const struct search_hit *hit)
{
    return hit->round ? THEME_WARNING : THEME_OK;
}
