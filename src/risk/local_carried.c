/* SPDX-License-Identifier: MIT */
/* local_carried: commands that a program finds among its own words, or in the lines that it is
 * given, and runs. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/carried.h"
#include "command/wrapper.h"
#include "risk/local-int.h"

/* Of these the words are read elsewhere, where it is known which of them are no commands. */
static bool is_read_elsewhere(const char *name)
{
    static const char *const names[] = {"fd",    "fdfind",   "find", "gfind", "mariadb",
                                        "mysql", "parallel", "psql", "set",   "sqlite3",
                                        "ssh",   "tmux",     "trap", "yarn"};
    return IS_IN(name, names);
}

/* Is what they carry run on another machine? */
static bool is_remote(const char *name)
{
    static const char *const names[] = {"adb", "ansible", "vagrant"};
    return IS_IN(name, names);
}

/* Programs of which a line behind a ! is a shell's. */
static bool reads_lines(const char *name)
{
    static const char *const names[] = {"dc",   "ed",   "ex",   "ftp",   "gdb", "gnuplot",
                                        "lftp", "lldb", "mail", "mailx", "sftp"};
    return IS_IN(name, names);
}

static void read_lines(const struct assessor *assessor, const struct view *view)
{
    const struct shell_node *node = view->node;
    size_t length;
    const char *text = local_fed_text(assessor, node, &length);
    while (text != NULL && *text != '\0') {
        size_t line = strcspn(text, "\n");
        cleanup_free char *copy = xstrndup(text, line);
        const char *script = carried_in_line(copy);
        if (script != NULL)
            local_read_script(assessor, script, strlen(script), node->start, node->end, false);
        text += line + (text[line] != '\0');
    }
}

void local_assess_carried(const struct assessor *assessor, const struct view *view)
{
    const char *name = wrapper_basename(view->words[0]);
    const struct shell_node *node = view->node;
    struct carried carried;
    if (is_read_elsewhere(name))
        return;
    for (size_t at = 0, found = 0;
         found < CARRIED_MAX && carried_next(view->words, view->count, &at, &carried);
         free(carried.script), found++) {
        if (carried.setting && strcmp(name, "git") == 0)
            continue; /* local_special knows its settings */
        if (carried.setting)
            local_read_guess(assessor, carried.script, node->start, node->end);
        else if (carried.script != NULL)
            local_read_script(assessor, carried.script, strlen(carried.script), node->start,
                              node->end, is_remote(name));
        else
            local_assess_rest(assessor, view, (size_t)(carried.words - view->words),
                              is_remote(name));
    }
    if (reads_lines(name))
        read_lines(assessor, view);
}
