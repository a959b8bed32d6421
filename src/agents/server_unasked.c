/* SPDX-License-Identifier: MIT */
/* server_unasked: requests for more permissions that are refused before they become calls. Nothing
 * else would show them, and an agent that asks for what it may never have is to be known. */
#include "config.h"

#include <string.h>

#include "agents/server-int.h"
#include "base/alloc.h"
#include "base/i18n.h"
#include "base/text.h"

/* An agent can ask as often as it likes: between two that are told the others are counted. */
#define TOLD_EVERY_MS 10000
#define NAME_COLUMNS 40
#define REASON_COLUMNS 240

void server_note_unasked(const struct connection *connection, const char *why)
{
    struct server *server = connection->server;
    int64_t now = loop_now_ms(server->loop);
    unsigned others = server->untold;
    if (server->unasked_ms != 0 && now - server->unasked_ms < TOLD_EVERY_MS) {
        server->untold++;
        return;
    }
    server->unasked_ms = now;
    server->untold = 0;
    cleanup_free char *name = text_line(connection->name, strlen(connection->name), NAME_COLUMNS);
    cleanup_free char *reason = text_line(why, strlen(why), REASON_COLUMNS);
    if (others == 0)
        orchestrator_notice(server->orchestrator, NOTICE_WARNING,
                            _("\"%s\" asked for more permissions, refused unasked: %s"), name,
                            reason);
    else
        orchestrator_notice(server->orchestrator, NOTICE_WARNING,
                            P_("\"%s\" asked for more permissions, refused unasked: %s (and %u "
                               "such request before it)",
                               "\"%s\" asked for more permissions, refused unasked: %s (and %u "
                               "such requests before it)",
                               others),
                            name, reason, others);
}
