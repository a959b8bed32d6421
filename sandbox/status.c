/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/status.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Takes the next space-separated field of at most `size` - 1 bytes; false when there is none. */
static bool take_word(const char **text, char *word, size_t size)
{
    size_t length = strcspn(*text, " ");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    if (**text == ' ')
        (*text)++;
    return true;
}

static bool take_number(const char **text, int *number)
{
    char word[16];
    if (!take_word(text, word, sizeof word) || word[strspn(word, "0123456789")] != '\0')
        return false;
    errno = 0;
    long value = strtol(word, NULL, 10);
    *number = (int)value;
    return errno == 0 && value <= INT_MAX;
}

static bool parse_fields(const char *word, const char **text, struct status_message *message)
{
    if (strcmp(word, "layers") == 0) {
        message->kind = STATUS_LAYERS;
        return true;
    }
    if (strcmp(word, "placeholders") == 0) {
        message->kind = STATUS_PLACEHOLDERS;
        return take_number(text, &message->number);
    }
    if (strcmp(word, "gateway") == 0) {
        message->kind = STATUS_GATEWAY;
        return true;
    }
    if (strcmp(word, "started") == 0) {
        message->kind = STATUS_STARTED;
        return take_number(text, &message->pid);
    }
    if (strcmp(word, "exec-failed") == 0 || strcmp(word, "failed") == 0) {
        message->kind = word[0] == 'e' ? STATUS_EXEC_FAILED : STATUS_FAILED;
        return take_number(text, &message->number);
    }
    if (strcmp(word, "denied") == 0) {
        message->kind = STATUS_DENIED;
        return take_word(text, message->operation, sizeof message->operation);
    }
    message->kind = STATUS_ALARM;
    return strcmp(word, "alarm") == 0;
}

int status_parse(const char *packet, size_t length, struct status_message *message)
{
    char bytes[STATUS_MESSAGE_MAX];
    char word[16];
    const char *text = bytes;
    memset(message, 0, sizeof *message);
    if (length >= sizeof bytes || memchr(packet, '\0', length))
        return -EPROTO;
    memcpy(bytes, packet, length);
    bytes[length] = '\0';
    if (!take_word(&text, word, sizeof word) || !parse_fields(word, &text, message))
        return -EPROTO;
    memcpy(message->text, text, strlen(text) + 1);
    return 0;
}
