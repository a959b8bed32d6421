/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "network/http.h"
#include "risk/model-int.h"
#include "risk/place.h"

#define ANSWER_MAX ((size_t)256 * 1024)
#define KEY_MAX 4096
#define WAITING_MAX 64
#define KNOWN_MAX 512
#define PAUSE_MAX_S 300 /* however long a server asks us to wait */
#define PAUSE_USUAL_S 5

struct known {
    char *key;
    struct opinion opinion;
};

struct question {
    struct model *model;
    struct question *next;
    char *key, *body;
    int64_t asked_ms;
    bool retried;
    struct http_transfer *transfer; /* while it is under way */
    model_done *done;
    void *argument;
};

struct model {
    struct loop *loop;
    struct http *http;
    char *url, *name, *authorization, *ca_file;
    struct model_options options;
    struct question *questions; /* in the order in which they were asked */
    size_t active;
    struct known *known;
    size_t known_count, known_next;
    int64_t paused_until_ms;
};

static void start_next(struct model *model);

/* ---- answers that are known ------------------------------------------------------------------ */

static const struct opinion *find_known(const struct model *model, const char *key)
{
    for (size_t i = 0; i < model->known_count; i++)
        if (strcmp(model->known[i].key, key) == 0)
            return &model->known[i].opinion;
    return NULL;
}

/* The oldest gives way. */
static void remember(struct model *model, const char *key, const struct opinion *opinion)
{
    size_t at = model->known_count;
    if (at < KNOWN_MAX) {
        model->known = xreallocarray(model->known, at + 1, sizeof(*model->known));
        model->known_count++;
    } else {
        at = model->known_next++ % KNOWN_MAX;
        free(model->known[at].key);
    }
    model->known[at] = (struct known){xstrdup(key), *opinion};
}

/* ---- questions ------------------------------------------------------------------------------- */

static void free_question(struct question *question)
{
    struct question **at = &question->model->questions;
    while (*at != question)
        at = &(*at)->next;
    *at = question->next;
    http_cancel(&question->transfer);
    free(question->key);
    free(question->body);
    free(question);
}

/* Tells the answer; the question is gone then. */
static void finish(struct question *question, struct opinion *opinion)
{
    struct model *model = question->model;
    opinion->latency_ms = loop_now_ms(model->loop) - question->asked_ms;
    if (opinion->status == OPINION_SUCCESS)
        remember(model, question->key, opinion);
    else
        log_info("model", "%s: %s", opinion_status_name(opinion->status), opinion->detail);
    question->done(question->argument, opinion);
    free_question(question);
}

static void finish_failed(struct question *question, enum opinion_status status, const char *detail)
{
    struct opinion opinion = {.status = status};
    snprintf(opinion.detail, sizeof(opinion.detail), "%s", detail);
    finish(question, &opinion);
}

static int64_t left_ms(const struct question *question)
{
    const struct model *model = question->model;
    return question->asked_ms + model->options.total_ms - loop_now_ms(model->loop);
}

static void pause_asking(struct model *model, int64_t seconds)
{
    if (seconds <= 0)
        seconds = PAUSE_USUAL_S;
    if (seconds > PAUSE_MAX_S)
        seconds = PAUSE_MAX_S;
    model->paused_until_ms = loop_now_ms(model->loop) + seconds * 1000;
}

static void read_status(struct question *question, const struct http_answer *answer,
                        struct opinion *opinion)
{
    if (answer->status == 200) {
        model_answer_read(answer->body, answer->length, opinion);
        return;
    }
    if (answer->status == 429 || answer->status == 503)
        pause_asking(question->model, answer->retry_after_s);
    opinion->status = OPINION_MODEL_ERROR;
    snprintf(opinion->detail, sizeof(opinion->detail), "HTTP status %ld", answer->status);
}

static void read_failure(const struct http_answer *answer, struct opinion *opinion)
{
    opinion->status = answer->outcome == HTTP_TIMED_OUT ? OPINION_TIMEOUT : OPINION_MODEL_ERROR;
    const char *why = answer->outcome == HTTP_REDIRECTED  ? "it wants to send us elsewhere: refused"
                      : answer->outcome == HTTP_TOO_LARGE ? "the answer is too long"
                                                          : answer->message;
    snprintf(opinion->detail, sizeof(opinion->detail), "%s", why);
}

static void start(struct question *question);

static void on_answer(void *argument, const struct http_answer *answer)
{
    struct question *question = argument;
    struct model *model = question->model;
    struct opinion opinion = {.status = OPINION_NONE};
    question->transfer = NULL;
    model->active--;
    if (answer->outcome == HTTP_RESET && !question->retried && left_ms(question) > 0) {
        question->retried = true;
        start(question);
        return;
    }
    if (answer->outcome == HTTP_ANSWERED)
        read_status(question, answer, &opinion);
    else
        read_failure(answer, &opinion);
    finish(question, &opinion);
    start_next(model);
}

static void start(struct question *question)
{
    struct model *model = question->model;
    struct error error = ERROR_INIT;
    const char *headers[] = {"Content-Type: application/json", model->authorization, NULL};
    struct http_post post = {.url = model->url,
                             .body = question->body,
                             .length = strlen(question->body),
                             .headers = headers,
                             .ca_file = model->ca_file,
                             .answer_max = ANSWER_MAX,
                             .connect_ms = model->options.connect_ms,
                             .total_ms = left_ms(question)};
    if (post.total_ms <= 0) {
        finish_failed(question, OPINION_TIMEOUT, "no turn in time");
        return;
    }
    question->transfer = http_post(model->http, &post, on_answer, question, &error);
    if (question->transfer == NULL)
        finish_failed(question, OPINION_MODEL_ERROR, error.message);
    else
        model->active++;
}

static void start_next(struct model *model)
{
    struct question *next;
    for (struct question *question = model->questions; question != NULL; question = next) {
        next = question->next;
        if (model->active >= model->options.concurrency)
            return;
        if (question->transfer == NULL && !question->retried)
            start(question);
    }
}

static size_t count_questions(const struct model *model)
{
    size_t count = 0;
    for (const struct question *at = model->questions; at != NULL; at = at->next)
        count++;
    return count;
}

void model_ask(struct model *model, const struct model_question *asked, model_done *done,
               void *argument)
{
    cleanup_free char *key = model_request_key(asked);
    const struct opinion *known = find_known(model, key);
    struct opinion refused = {.status = OPINION_MODEL_ERROR};
    if (known != NULL) {
        struct opinion copy = *known;
        copy.latency_ms = 0;
        done(argument, &copy);
        return;
    }
    if (loop_now_ms(model->loop) < model->paused_until_ms) {
        snprintf(refused.detail, sizeof(refused.detail), "it asked us to wait");
        done(argument, &refused);
        return;
    }
    if (count_questions(model) >= WAITING_MAX) {
        snprintf(refused.detail, sizeof(refused.detail), "too many questions are waiting");
        done(argument, &refused);
        return;
    }
    struct question *question = XNEW(struct question), **last = &model->questions;
    *question = (struct question){.model = model,
                                  .key = xstrdup(key),
                                  .body = model_request_body(&model->options, asked),
                                  .asked_ms = loop_now_ms(model->loop),
                                  .done = done,
                                  .argument = argument};
    while (*last != NULL)
        last = &(*last)->next;
    *last = question;
    start_next(model);
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), width = strlen(end);
    return length >= width && strcmp(text + length - width, end) == 0;
}

/* The address to post to. What is asked would be readable on the way to another machine. */
static char *make_url(const struct model_options *options, struct error *error)
{
    const char *path = options->dialect == MODEL_CHAT ? "/chat/completions" : "/responses";
    bool secure = strncmp(options->url, "https://", 8) == 0;
    if (!secure && strncmp(options->url, "http://", 7) != 0) {
        error_set(error, 0, "assessment.url: expected an address that begins with https://");
        return NULL;
    }
    if (!secure && !place_is_this_machine(options->url)) {
        error_set(error, 0,
                  "assessment.url: http is for this machine only; use https for another one");
        return NULL;
    }
    if (ends_with(options->url, path))
        return xstrdup(options->url);
    return xasprintf("%s%s", options->url, ends_with(options->url, "/") ? path + 1 : path);
}

struct model *model_new(struct loop *loop, const struct model_options *options, struct error *error)
{
    char *url = make_url(options, error);
    struct http *http = url != NULL ? http_new(loop, error) : NULL;
    if (http == NULL) {
        free(url);
        return NULL;
    }
    struct model *model = XNEW(struct model);
    *model = (struct model){.loop = loop,
                            .http = http,
                            .url = url,
                            .name = xstrdup(options->name),
                            .options = *options};
    if (options->key != NULL)
        model->authorization = xasprintf("Authorization: Bearer %s", options->key);
    if (options->ca_file != NULL)
        model->ca_file = xstrdup(options->ca_file);
    model->options.name = model->name;
    model->options.url = model->options.key = model->options.ca_file = NULL;
    if (model->options.concurrency == 0)
        model->options.concurrency = 1;
    return model;
}

void model_free(struct model **model)
{
    if (*model == NULL)
        return;
    while ((*model)->questions != NULL)
        free_question((*model)->questions);
    http_free(&(*model)->http);
    for (size_t i = 0; i < (*model)->known_count; i++)
        free((*model)->known[i].key);
    free((*model)->known);
    free((*model)->url);
    free((*model)->name);
    if ((*model)->authorization != NULL)
        explicit_bzero((*model)->authorization, strlen((*model)->authorization));
    free((*model)->authorization);
    free((*model)->ca_file);
    free(*model);
    *model = NULL;
}

/* ---- the key --------------------------------------------------------------------------------- */

static bool is_usable(const char *key, const char *where, struct error *error)
{
    for (const char *at = key; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~') {
            error_set(error, 0, "%s: the key holds characters that no key has", where);
            return false;
        }
    if (*key == '\0')
        error_set(error, 0, "%s: there is no key", where);
    return *key != '\0';
}

static char *read_key_file(const char *file, struct error *error)
{
    char text[KEY_MAX];
    struct stat status;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) < 0) {
        error_errno(error, errno, "cannot read %s", file);
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    ssize_t length = -1;
    if (!S_ISREG(status.st_mode) || status.st_uid != getuid() || (status.st_mode & 077) != 0)
        error_set(error, 0,
                  "%s: the file with the key must be yours and readable by nobody else "
                  "(chmod 600)",
                  file);
    else if ((length = read(fd, text, sizeof(text) - 1)) < 0)
        error_errno(error, errno, "cannot read %s", file);
    close(fd);
    if (length < 0)
        return NULL;
    text[length] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    char *key = is_usable(text, file, error) ? xstrdup(text) : NULL;
    explicit_bzero(text, sizeof(text));
    return key;
}

char *model_read_key(const char *variable, const char *file, struct error *error)
{
    const char *value = variable != NULL && *variable != '\0' ? getenv(variable) : NULL;
    if (value != NULL && *value != '\0')
        return is_usable(value, variable, error) ? xstrdup(value) : NULL;
    if (file != NULL && *file != '\0')
        return read_key_file(file, error);
    return NULL;
}
