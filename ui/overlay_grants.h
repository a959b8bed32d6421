/* SPDX-License-Identifier: MIT */
/* overlay_grants: what holds beyond one request, for how long, how often it was used; a key takes
 * it back. */
#ifndef ASSENT_UI_OVERLAY_GRANTS_H
#define ASSENT_UI_OVERLAY_GRANTS_H

struct console;

void overlay_grants_show(struct console *console);

#endif
