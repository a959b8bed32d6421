/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Cuts a message that filled its buffer back to a whole UTF-8 character. */
static void cut_at_character(char *message)
{
    size_t length = strlen(message);
    if (length < ERROR_MESSAGE_MAX - 1)
        return;
    while (length > 0 && ((unsigned char)message[length - 1] & 0xC0) == 0x80)
        length--;
    if (length > 0 && (unsigned char)message[length - 1] >= 0xC0)
        length--;
    message[length] = '\0';
}

int error_set(struct error *error, int number, const char *format, ...)
{
    if (!error)
        return -1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    cut_at_character(error->message);
    error->number = number;
    return -1;
}

int error_errno(struct error *error, int number, const char *format, ...)
{
    if (!error)
        return -1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, ": %s", strerror(number));
    cut_at_character(error->message);
    error->number = number;
    return -1;
}

int error_prefix(struct error *error, const char *format, ...)
{
    if (!error)
        return -1;
    char prefix[ERROR_MESSAGE_MAX], rest[ERROR_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    memcpy(rest, error->message, sizeof rest);
    size_t length = strlen(prefix);
    memcpy(error->message, prefix, length + 1);
    snprintf(error->message + length, sizeof error->message - length, ": %s", rest);
    cut_at_character(error->message);
    return -1;
}
