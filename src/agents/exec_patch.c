/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/exec_patch.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/i18n.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "command/patch.h"
#include "command/shell.h"

#define NAME "apply_patch"
#define DELIMITER_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static int fail_how(struct error *error)
{
    return error_set(error, EINVAL,
                     _("a patch is given as one word, assent exec -- apply_patch PATCH, or on "
                       "standard input, and nothing else with it"));
}

static int take_text(const char *text, size_t length, char **patch, struct error *error)
{
    if (length > PATCH_SIZE_MAX)
        return error_set(error, EFBIG, _("the patch is too long"));
    /* What is behind a NUL byte would be lost unseen. */
    if (memchr(text, '\0', length) != NULL || !text_valid_utf8(text, length))
        return error_set(error, EILSEQ, _("the patch is not UTF-8"));
    *patch = xstrndup(text, length);
    return 1;
}

static int read_text(int input, char **patch, struct error *error)
{
    cleanup_strbuf struct strbuf text = STRBUF_INIT;
    char bytes[16384];
    ssize_t got;
    if (isatty(input))
        return fail_how(error);
    while ((got = read(input, bytes, sizeof(bytes))) != 0 && text.length <= PATCH_SIZE_MAX) {
        if (got < 0 && errno != EINTR)
            return error_errno(error, errno, _("standard input"));
        if (got > 0)
            strbuf_add(&text, bytes, (size_t)got);
    }
    if (text.length == 0)
        return fail_how(error);
    return take_text(strbuf_str(&text), text.length, patch, error);
}

/* Does it begin with that name as a word? */
static bool begins_with_name(const char *script)
{
    size_t length = strlen(NAME);
    script += strspn(script, " \t\n");
    return strncmp(script, NAME, length) == 0 &&
           (script[length] == '\0' || strchr(" \t\n<", script[length]) != NULL);
}

/* The line that is the delimiter and no more, NULL: there is none. */
static const char *find_end(const char *text, const char *delimiter, size_t length)
{
    while (*text != '\0') {
        size_t line = strcspn(text, "\n");
        if (line == length && strncmp(text, delimiter, length) == 0)
            return text;
        text += line + (text[line] == '\n');
    }
    return NULL;
}

/* "apply_patch <<'EOF'", the text, "EOF", and nothing behind it: what a shell would hand to such a
 * program, as it stands. NULL when it is not that. */
static const char *heredoc(const char *script, size_t *length)
{
    const char *at = script + strspn(script, " \t\n") + strlen(NAME);
    at += strspn(at, " \t");
    if (strncmp(at, "<<", 2) != 0)
        return NULL;
    at += 2;
    char quote = *at == '\'' || *at == '"' ? *at++ : '\0';
    const char *delimiter = at;
    size_t width = strspn(at, DELIMITER_BYTES);
    at += width;
    if (width == 0 || (quote != '\0' && *at++ != quote))
        return NULL;
    at += strspn(at, " \t");
    const char *end = *at == '\n' ? find_end(at + 1, delimiter, width) : NULL;
    if (end == NULL || end[width + strspn(end + width, " \t\n")] != '\0')
        return NULL;
    *length = (size_t)(end - (at + 1));
    /* Without quotes a shell would put in what these name. */
    for (size_t i = 0; quote == '\0' && i < *length; i++)
        if (strchr("$`\\", at[1 + i]) != NULL)
            return NULL;
    return at + 1;
}

static int find_in_script(const char *script, char **patch, struct error *error)
{
    cleanup_strv char **words = NULL;
    size_t length = 0;
    if (!begins_with_name(script))
        return 0;
    words = shell_plain_words(script);
    if (words != NULL && words[1] != NULL && words[2] == NULL)
        return take_text(words[1], strlen(words[1]), patch, error);
    const char *text = heredoc(script, &length);
    return text != NULL ? take_text(text, length, patch, error) : fail_how(error);
}

int exec_patch_find(char *const *argv, int input, char **patch, struct error *error)
{
    const char *script = shell_wrapped_script((const char *const *)argv);
    if (script != NULL)
        return find_in_script(script, patch, error);
    if (strcmp(argv[0], NAME) != 0)
        return 0;
    if (argv[1] == NULL)
        return read_text(input, patch, error);
    if (argv[2] != NULL)
        return fail_how(error);
    return take_text(argv[1], strlen(argv[1]), patch, error);
}
