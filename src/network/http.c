/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/http.h"

#include <string.h>

#include <curl/curl.h>

#include "base/alloc.h"
#include "base/strbuf.h"

struct socket_watch {
    struct http *http;
    struct loop_io *io;
};

struct http {
    struct loop *loop;
    CURLM *multi;
    struct loop_timer *timer;
    struct http_transfer *transfers; /* a list */
};

struct http_transfer {
    struct http *http;
    struct http_transfer *next;
    CURL *easy;
    struct curl_slist *headers;
    struct strbuf body;
    size_t answer_max;
    bool too_large;
    char message[CURL_ERROR_SIZE];
    http_done *done;
    void *argument;
};

/* ---- transfers ------------------------------------------------------------------------------- */

static void unlink_transfer(struct http_transfer *transfer)
{
    struct http_transfer **at = &transfer->http->transfers;
    while (*at != transfer)
        at = &(*at)->next;
    *at = transfer->next;
}

static void free_transfer(struct http_transfer *transfer)
{
    unlink_transfer(transfer);
    curl_multi_remove_handle(transfer->http->multi, transfer->easy);
    curl_easy_cleanup(transfer->easy);
    curl_slist_free_all(transfer->headers);
    strbuf_free(&transfer->body);
    free(transfer);
}

static enum http_outcome outcome_of(const struct http_transfer *transfer, CURLcode code,
                                    long status)
{
    if (transfer->too_large)
        return HTTP_TOO_LARGE;
    switch (code) {
    case CURLE_OK:
        return status >= 300 && status < 400 ? HTTP_REDIRECTED : HTTP_ANSWERED;
    case CURLE_OPERATION_TIMEDOUT:
        return HTTP_TIMED_OUT;
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
        return HTTP_RESET;
    default:
        return HTTP_FAILED;
    }
}

static void finish(struct http_transfer *transfer, CURLcode code)
{
    struct http_answer answer = {.body = strbuf_str(&transfer->body),
                                 .length = transfer->body.length,
                                 .message = transfer->message};
    curl_off_t wait = 0;
    curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &answer.status);
    curl_easy_getinfo(transfer->easy, CURLINFO_RETRY_AFTER, &wait);
    answer.retry_after_s = (int64_t)wait;
    answer.outcome = outcome_of(transfer, code, answer.status);
    if (*transfer->message == '\0' && code != CURLE_OK)
        answer.message = curl_easy_strerror(code);
    transfer->done(transfer->argument, &answer);
    free_transfer(transfer);
}

static void finish_all(struct http *http)
{
    int left;
    for (CURLMsg *message; (message = curl_multi_info_read(http->multi, &left)) != NULL;) {
        char *owner = NULL;
        if (message->msg != CURLMSG_DONE)
            continue;
        CURLcode code = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &owner);
        finish((struct http_transfer *)(void *)owner, code);
    }
}

static size_t on_body(char *bytes, size_t size, size_t count, void *argument)
{
    struct http_transfer *transfer = argument;
    if (size * count > transfer->answer_max - transfer->body.length) {
        transfer->too_large = true;
        return 0; /* ends the transfer */
    }
    strbuf_add(&transfer->body, bytes, size * count);
    return size * count;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void on_io(int fd, unsigned events, void *argument)
{
    struct socket_watch *watch = argument;
    struct http *http = watch->http;
    int flags = ((events & LOOP_READ) != 0 ? CURL_CSELECT_IN : 0) |
                ((events & LOOP_WRITE) != 0 ? CURL_CSELECT_OUT : 0);
    int running;
    curl_multi_socket_action(http->multi, fd, flags, &running);
    finish_all(http);
}

static void on_timer(void *argument)
{
    struct http *http = argument;
    int running;
    curl_multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    finish_all(http);
}

static int on_wanted_timer(CURLM *multi, long ms, void *argument)
{
    struct http *http = argument;
    (void)multi;
    if (ms < 0)
        loop_timer_stop(http->timer);
    else
        loop_timer_start(http->timer, ms);
    return 0;
}

static void free_watch(struct socket_watch *watch)
{
    loop_io_free(&watch->io);
    free(watch);
}

static int on_wanted_socket(CURL *easy, curl_socket_t fd, int what, void *argument, void *socket)
{
    struct http *http = argument;
    struct socket_watch *watch = socket;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        curl_multi_assign(http->multi, fd, NULL);
        if (watch != NULL)
            free_watch(watch);
        return 0;
    }
    if (watch == NULL) {
        watch = XNEW(struct socket_watch);
        watch->http = http;
        watch->io = loop_io_new(http->loop, fd, on_io, watch);
        curl_multi_assign(http->multi, fd, watch);
    }
    loop_io_set(watch->io, ((what & CURL_POLL_IN) != 0 ? LOOP_READ : 0u) |
                               ((what & CURL_POLL_OUT) != 0 ? LOOP_WRITE : 0u));
    return 0;
}

struct http *http_new(struct loop *loop, struct error *error)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        error_set(error, 0, "libcurl cannot be used");
        return NULL;
    }
    struct http *http = XNEW(struct http);
    http->loop = loop;
    http->multi = curl_multi_init();
    http->timer = loop_timer_new(loop, on_timer, http);
    curl_multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, on_wanted_socket);
    curl_multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
    curl_multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, on_wanted_timer);
    curl_multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
    return http;
}

void http_free(struct http **http)
{
    if (*http == NULL)
        return;
    while ((*http)->transfers != NULL)
        free_transfer((*http)->transfers);
    curl_multi_cleanup((*http)->multi);
    loop_timer_free(&(*http)->timer);
    free(*http);
    *http = NULL;
    curl_global_cleanup();
}

/* ---- requests -------------------------------------------------------------------------------- */

static void allow_protocols(CURL *easy)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

static void set_options(struct http_transfer *transfer, const struct http_post *post)
{
    CURL *easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_URL, post->url);
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->length);
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, post->body);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "assent");
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)post->connect_ms);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)post->total_ms);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    if (post->ca_file != NULL)
        curl_easy_setopt(easy, CURLOPT_CAINFO, post->ca_file);
    allow_protocols(easy);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer->message);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
}

struct http_transfer *http_post(struct http *http, const struct http_post *post, http_done *done,
                                void *argument, struct error *error)
{
    struct http_transfer *transfer = XNEW(struct http_transfer);
    transfer->http = http;
    transfer->easy = curl_easy_init();
    transfer->answer_max = post->answer_max;
    transfer->done = done;
    transfer->argument = argument;
    /* Without waiting for "100 Continue", which many servers never send. */
    transfer->headers = curl_slist_append(NULL, "Expect:");
    for (size_t i = 0; post->headers != NULL && post->headers[i] != NULL; i++)
        transfer->headers = curl_slist_append(transfer->headers, post->headers[i]);
    transfer->next = http->transfers;
    http->transfers = transfer;
    set_options(transfer, post);
    CURLMcode code = curl_multi_add_handle(http->multi, transfer->easy);
    if (code != CURLM_OK) {
        error_set(error, 0, "%s", curl_multi_strerror(code));
        free_transfer(transfer);
        return NULL;
    }
    return transfer;
}

void http_cancel(struct http_transfer **transfer)
{
    if (*transfer != NULL)
        free_transfer(*transfer);
    *transfer = NULL;
}
