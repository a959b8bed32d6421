/* SPDX-License-Identifier: MIT */
/*
 * log_value: how the session log writes what is in its events: text that may be any bytes, what may
 * hold a secret, what decides what runs. All add a field to a JSON object.
 */
#ifndef ASSENT_RECORD_LOG_VALUE_H
#define ASSENT_RECORD_LOG_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes the reference over. */
void log_put(json_t *object, const char *key, json_t *value);
void log_put_integer(json_t *object, const char *key, int64_t value);
void log_put_bool(json_t *object, const char *key, bool value);
/* Any bytes; nothing when it is NULL. */
void log_put_text(json_t *object, const char *key, const char *text);
/* The same, and nothing when it is empty. */
void log_put_filled(json_t *object, const char *key, const char *text);
/* What an agent or a program says may hold a secret as well; errs towards masking. */
void log_put_masked(json_t *object, const char *key, const char *text);
void log_put_masked_bytes(json_t *object, const char *key, const char *bytes, size_t length);
/* A command line: what it does stays readable. */
void log_put_command(json_t *object, const char *key, const char *command);
/* Bytes that decide what runs: kept exactly, in a second field where JSON cannot hold them. */
void log_put_exact(json_t *object, const char *key, const char *exact_key, const char *bytes);
/* Strings, NULL-terminated; NULL is none of them. A new reference. */
json_t *log_value_list(char *const *strings);
/* Words of a command, as of a rule that is proposed for it, with secrets among them masked; nothing
 * when it is NULL. */
void log_put_words(json_t *object, const char *key, char *const *words);
/* A command line; secrets among its words are masked. */
void log_put_argv(json_t *object, char *const *argv);
/* NAME=VALUE; values of names that are secrets' are left out. Nothing when it is NULL. */
void log_put_environment(json_t *object, char *const *entries);
/* Can JSON hold it as it is? */
bool log_value_is_text(const char *bytes);

#endif
