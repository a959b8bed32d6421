/* SPDX-License-Identifier: MIT */
/* keymap_name: what a key is called, on the screen and in the configuration. */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "ui/input.h"
#include "ui/keymap.h"

/* Keys whose name is not their character; also what keymap_key_parse() reads. */
static const struct {
    uint32_t code;
    const char *name;
} names[] = {
    {INPUT_KEY_ESCAPE, "Esc"},
    {INPUT_KEY_ENTER, "Enter"},
    {INPUT_KEY_TAB, "Tab"},
    {INPUT_KEY_UP, "Up"},
    {INPUT_KEY_DOWN, "Down"},
    {INPUT_KEY_RIGHT, "Right"},
    {INPUT_KEY_LEFT, "Left"},
    {INPUT_KEY_HOME, "Home"},
    {INPUT_KEY_END, "End"},
    {INPUT_KEY_INSERT, "Insert"},
    {INPUT_KEY_DELETE, "Delete"},
    {INPUT_KEY_PAGE_UP, "PgUp"},
    {' ', "Space"},
    {INPUT_KEY_PAGE_DOWN, "PgDn"},
    {INPUT_KEY_BACKSPACE, "Backspace"},
    {INPUT_KEY_F1, "F1"},
    {INPUT_KEY_F1 + 1, "F2"},
    {INPUT_KEY_F1 + 2, "F3"},
    {INPUT_KEY_F1 + 3, "F4"},
    {INPUT_KEY_F1 + 4, "F5"},
    {INPUT_KEY_F1 + 5, "F6"},
    {INPUT_KEY_F1 + 6, "F7"},
    {INPUT_KEY_F1 + 7, "F8"},
    {INPUT_KEY_F1 + 8, "F9"},
    {INPUT_KEY_F1 + 9, "F10"},
    {INPUT_KEY_F1 + 10, "F11"},
    {INPUT_KEY_F12, "F12"},
};
#define NAME_COUNT (COUNT(names))

static const struct {
    unsigned bit;
    const char *prefix;
} modifier_names[] = {{INPUT_CTRL, "Ctrl-"}, {INPUT_ALT, "Alt-"}, {INPUT_SHIFT, "Shift-"}};
#define MODIFIER_COUNT (COUNT(modifier_names))

static void code_name(uint32_t code, unsigned modifiers, char out[16])
{
    size_t length;

    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (names[i].code == code) {
            snprintf(out, 16, "%s", names[i].name);
            return;
        }
    }
    /* Control keys are printed on keyboards, and known, with capital letters. */
    if ((modifiers & INPUT_CTRL) != 0 && code >= 'a' && code <= 'z')
        code -= 'a' - 'A';
    length = text_encode(code, out);
    out[length] = '\0';
}

const char *keymap_key_name(const struct key *key, char out[24])
{
    char code[16];
    const char *prefixes[MODIFIER_COUNT];

    if (key->code == 0) {
        *out = '\0';
        return out;
    }
    for (size_t i = 0; i < MODIFIER_COUNT; i++)
        prefixes[i] = (key->modifiers & modifier_names[i].bit) != 0 ? modifier_names[i].prefix : "";
    code_name(key->code, key->modifiers, code);
    snprintf(out, 24, "%s%s%s%s", prefixes[0], prefixes[1], prefixes[2], code);
    return out;
}

/* What terminals have for a character with these modifiers; the rest is another key's, or none's.
 */
static bool is_sent(const struct key *key)
{
    if (key->code >= INPUT_KEY_ESCAPE)
        return true;
    if ((key->modifiers & INPUT_SHIFT) != 0)
        return false; /* a capital letter is a character of its own */
    if ((key->modifiers & INPUT_CTRL) != 0)
        return (key->code >= 'a' && key->code <= 'z' && strchr("hijm", (int)key->code) == NULL) ||
               (key->code < 0x80 && strchr(" \\]^_", (int)key->code) != NULL);
    return (key->modifiers & INPUT_ALT) == 0 || (key->code != '[' && key->code != 'O');
}

/* Reads what keymap_key_name() writes. */
bool keymap_key_parse(const char *text, struct key *key)
{
    size_t length;

    key->modifiers = 0;
    for (size_t i = 0; i < MODIFIER_COUNT; i++) {
        size_t prefix = strlen(modifier_names[i].prefix);

        if (strncasecmp(text, modifier_names[i].prefix, prefix) == 0 && text[prefix] != '\0') {
            key->modifiers |= modifier_names[i].bit;
            text += prefix;
        }
    }
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (strcasecmp(text, names[i].name) == 0) {
            key->code = names[i].code;
            return is_sent(key);
        }
    }
    length = strlen(text);
    if (length == 0 || text_decode(text, length, &key->code) != length || key->code <= 0x20 ||
        key->code == 0x7f || key->code == TEXT_INVALID || text_width(text, length) == 0)
        return false;
    if ((key->modifiers & INPUT_CTRL) != 0 && key->code >= 'A' && key->code <= 'Z')
        key->code += 'a' - 'A';
    return is_sent(key);
}
