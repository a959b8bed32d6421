/* SPDX-License-Identifier: MIT */
/* local_format: files that are named with what they hold, or how they are reached, in front:
 * ImageMagick's txt:FILE and label:@FILE, ffmpeg's file:FILE. */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "command/wrapper.h"
#include "risk/local_subject.h"

static bool names_formats(const char *program)
{
    static const char *const names[] = {"compare",  "composite", "convert", "ffmpeg", "gm",
                                        "identify", "magick",    "mogrify", "montage"};
    return IS_IN(program, names);
}

static size_t format_length(const char *word)
{
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || (length > 0 && word[length] == '-'))
        length++;
    return length > 0 && word[length] == ':' ? length + 1 : 0;
}

const char *local_file_named(const struct view *view, const char *word)
{
    size_t format = format_length(word);
    if (!names_formats(wrapper_basename(view->words[0])))
        return word;
    if (strncmp(word + format, "//", 2) == 0) /* an address, of which file:///x is a file here */
        return strncmp(word, "file:", 5) == 0 ? word + format + 2 : word;
    word += format;
    return word + (*word == '@');
}

/* '|COMMAND' in the place of a file, and -write FILE before the last one. */
bool local_subject_image(const struct subject *subject)
{
    const struct view *view = subject->view;
    const struct shell_node *node = view->node;
    for (size_t i = 1; i < view->count; i++) {
        const char *file = local_file_named(view, view->words[i]);
        if (*file == '|')
            local_read_script(subject->assessor, file + 1, strlen(file + 1), node->start, node->end,
                              false);
        if (i + 1 < view->count &&
            (strcmp(view->words[i], "-write") == 0 || strcmp(view->words[i], "+write") == 0))
            local_subject_note_written(subject, i + 1, local_file_named(view, view->words[i + 1]));
    }
    return false;
}
