/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/subcommand_table.h"

#include <string.h>

#include "base/i18n.h"

const struct subcommand subcommands[SUBCOMMAND_COUNT] = {
    [SUBCOMMAND_CONSOLE] = {NULL, "assent-console", false, "[-- COMMAND…]",
                            N_("Start the console (with COMMAND in a pane).")},
    [SUBCOMMAND_EXEC] = {"exec", "assent-exec", false, "-- COMMAND…",
                         N_("Ask a running console to run COMMAND; exit as it did.")},
    [SUBCOMMAND_MCP] = {"mcp", "assent-mcp", false, "[install|uninstall CLIENT]",
                        N_("Serve agents that speak the Model Context Protocol.")},
    [SUBCOMMAND_HOOK] = {"hook", "assent-hook", false, "[install|uninstall CLIENT]",
                         N_("Answer an agent that asks before it does something itself.")},
    [SUBCOMMAND_ACP] = {"acp", "assent-acp", false, "-- AGENT…",
                        N_("Converse with an agent that AGENT starts (Agent Client Protocol).")},
    [SUBCOMMAND_SANDBOX] = {"sandbox", "assent-sandbox-cli", false, "-- COMMAND…",
                            N_("Run COMMAND confined, without a console.")},
    [SUBCOMMAND_LOG] = {"log", "assent-tool", true,
                        "[calls|approved|stats|verify] [SESSION] [CALL]",
                        N_("Show the record of a session, or check that nobody changed it.")},
    [SUBCOMMAND_CONFIG] = {"config", "assent-tool", true, "",
                           N_("Show the configuration and where each value comes from.")},
    [SUBCOMMAND_DOCTOR] = {"doctor", "assent-tool", true, "",
                           N_("Say what this machine can enforce and what is missing.")},
    [SUBCOMMAND_PARSE] = {"parse", "assent-tool", true, "[FILE]",
                          N_("Say what a shell script runs, or why that cannot be known.")},
    [SUBCOMMAND_CHECK] = {"check", "assent-tool", true, "-- COMMAND…",
                          N_("Say what would happen to COMMAND, and why.")},
    [SUBCOMMAND_RULES] = {"rules", "assent-tool", true,
                          "check|test|import|suggest|unused|undo [FILE…]",
                          N_("Work on rule files.")},
    [SUBCOMMAND_ASSESS] = {"assess", "assent-tool", true, "-- COMMAND…",
                           N_("Say how bad COMMAND can be.")},
};

const struct subcommand *subcommand_find(const char *name)
{
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++)
        if (subcommands[i].name && strcmp(subcommands[i].name, name) == 0)
            return &subcommands[i];
    return NULL;
}
