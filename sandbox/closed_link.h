/* SPDX-License-Identifier: MIT */
/*
 * closed_link: links of the command's own that would close a file of the operator's.
 *
 * With a link of a closed name the file is closed that it leads to. A command could so have closed
 * to all that follow what they need, git's configuration for one. What was a link at the start is
 * the operator's; one that leads out of the roots since then is set aside, and told of.
 */
#ifndef ASSENT_SANDBOX_CLOSED_LINK_H
#define ASSENT_SANDBOX_CLOSED_LINK_H

#include "sandbox/protect.h"
#include "sandbox/report.h"
#include "sandbox/shut.h"

struct closed_link {
    const char *path;
    char *target; /* at the start; NULL: there was no link, or it closed nothing */
};

struct closed_links {
    struct closed_link *links; /* whether there are any or not */
    size_t count;
    const struct protect *protect;
    const struct report *report;
};

/* Before the command starts; the other fields are set by the caller. Paths of `shut` are kept. */
void closed_links_open(struct closed_links *links, const struct shut *shut);
/* Something has changed, or the command has ended. */
void closed_links_act(const struct closed_links *links);

#endif
