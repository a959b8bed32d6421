/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/head.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"

#define PORT_HTTP 80

struct span {
    const char *text;
    size_t length;
};

/* What the headers of one request say together. */
struct headers {
    unsigned count;
    bool host_seen, length_seen, encoding_seen;
    struct span host;
};

static enum head_result bad(struct head *head, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static enum head_result bad(struct head *head, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(head->problem, sizeof head->problem, format, arguments);
    va_end(arguments);
    head->status = status;
    return HEAD_BAD;
}

static bool span_is(struct span span, const char *text)
{
    return strlen(text) == span.length && strncasecmp(span.text, text, span.length) == 0;
}

static bool is_token_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

static bool is_token(struct span span)
{
    for (size_t i = 0; i < span.length; i++)
        if (!is_token_byte(span.text[i]))
            return false;
    return span.length > 0;
}

static struct span trim(struct span span)
{
    while (span.length > 0 && (span.text[0] == ' ' || span.text[0] == '\t')) {
        span.text++;
        span.length--;
    }
    while (span.length > 0 &&
           (span.text[span.length - 1] == ' ' || span.text[span.length - 1] == '\t'))
        span.length--;
    return span;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* No controls but the tab of a header's value. */
static bool is_line(struct span line)
{
    for (size_t i = 0; i < line.length; i++) {
        unsigned char byte = (unsigned char)line.text[i];
        if ((byte < 0x20 && byte != '\t') || byte == 0x7f)
            return false;
    }
    return true;
}

/* The line at `*at`, without its end; `*at` moves behind it. MORE when it is not complete. */
static enum head_result next_line(const char *bytes, size_t length, size_t *at, struct span *line)
{
    const char *start = bytes + *at;
    const char *end = memchr(start, '\n', length - *at);
    if (end == NULL)
        return HEAD_MORE;
    if (end == start || end[-1] != '\r')
        return HEAD_BAD;
    *line = (struct span){start, (size_t)(end - start) - 1};
    *at += line->length + 2;
    return is_line(*line) ? HEAD_DONE : HEAD_BAD;
}

/* ---- the first line -------------------------------------------------------------------------- */

static bool split_line(struct span line, struct span *method, struct span *url,
                       struct span *version)
{
    const char *first = memchr(line.text, ' ', line.length);
    if (first == NULL)
        return false;
    *method = (struct span){line.text, (size_t)(first - line.text)};
    size_t rest = line.length - method->length - 1;
    const char *second = memchr(first + 1, ' ', rest);
    if (second == NULL)
        return false;
    *url = (struct span){first + 1, (size_t)(second - first) - 1};
    *version = (struct span){second + 1, rest - url->length - 1};
    return is_token(*method) && url->length > 0 && memchr(url->text, '\t', url->length) == NULL;
}

static bool parse_port(struct span text, uint16_t *port)
{
    unsigned value = 0;
    if (text.length == 0 || text.length > 5)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        if (text.text[i] < '0' || text.text[i] > '9')
            return false;
        value = value * 10 + (unsigned)(text.text[i] - '0');
    }
    *port = (uint16_t)value;
    return value > 0 && value <= UINT16_MAX;
}

/* HOST[:PORT]; without a port `fallback`, and when that is 0 it is an error. */
static bool parse_authority(struct span text, uint16_t fallback, struct network_target *target,
                            struct error *error)
{
    size_t host;
    if (text.length > 0 && text.text[0] == '[') {
        const char *close = memchr(text.text, ']', text.length);
        host = close != NULL ? (size_t)(close - text.text) + 1 : text.length;
    } else {
        const char *colon = memchr(text.text, ':', text.length);
        host = colon != NULL ? (size_t)(colon - text.text) : text.length;
    }
    target->port = fallback;
    if (host < text.length) {
        struct span port = {text.text + host + 1, text.length - host - 1};
        if (text.text[host] != ':' || !parse_port(port, &target->port))
            return error_set(error, 0, "the port is no number from 1 to 65535") == 0;
    }
    if (target->port == 0)
        return error_set(error, 0, "the port is missing") == 0;
    return host_parse(text.text, host, &target->host, error) == 0;
}

static enum head_result take_connect(struct span url, struct head *head)
{
    struct error error = ERROR_INIT;
    head->target.protocol = PROTOCOL_HTTPS;
    if (!parse_authority(url, 0, &head->target, &error))
        return bad(head, 400, "CONNECT: %.100s", error.message);
    return HEAD_DONE;
}

static enum head_result take_url(struct span method, struct span url, struct head *head)
{
    static const char scheme[] = "http://";
    size_t prefix = sizeof scheme - 1;
    struct error error = ERROR_INIT;
    head->target.protocol = PROTOCOL_HTTP;
    if (url.length < prefix || strncasecmp(url.text, scheme, prefix) != 0)
        return bad(head, 400, "a proxy takes CONNECT, or a URL that begins with http://");
    struct span rest = {url.text + prefix, url.length - prefix};
    size_t authority = 0;
    while (authority < rest.length && strchr("/?#", rest.text[authority]) == NULL)
        authority++;
    if (memchr(rest.text, '@', authority) != NULL)
        return bad(head, 400, "the URL holds a user name");
    if (!parse_authority((struct span){rest.text, authority}, PORT_HTTP, &head->target, &error))
        return bad(head, 400, "%.120s", error.message);
    const char *slash = authority < rest.length && rest.text[authority] == '/' ? "" : "/";
    cleanup_free char *host = target_authority(&head->target);
    if (head->target.port == PORT_HTTP)
        *strrchr(host, ':') = '\0';
    strbuf_addf(&head->text, "%.*s %s%.*s HTTP/1.1\r\nHost: %s\r\n", (int)method.length,
                method.text, slash, (int)(rest.length - authority), rest.text + authority, host);
    return HEAD_DONE;
}

static enum head_result take_first_line(struct span line, struct head *head)
{
    struct span method, url, version;
    if (line.length > HEAD_LINE_MAX)
        return bad(head, 414, "the first line is too long");
    if (!split_line(line, &method, &url, &version))
        return bad(head, 400, "the first line is no request");
    if (!span_is(version, "HTTP/1.1") && !span_is(version, "HTTP/1.0"))
        return bad(head, 505, "HTTP/1.1 and HTTP/1.0 only");
    return span_is(method, "CONNECT") ? take_connect(url, head) : take_url(method, url, head);
}

/* ---- headers --------------------------------------------------------------------------------- */

static enum head_result take_length(struct span value, struct headers *headers, struct head *head)
{
    uint64_t length = 0;
    if (headers->length_seen || value.length == 0 || value.length > 18)
        return bad(head, 400, "Content-Length is given twice or is no number");
    for (size_t i = 0; i < value.length; i++) {
        if (value.text[i] < '0' || value.text[i] > '9')
            return bad(head, 400, "Content-Length is no number");
        length = length * 10 + (uint64_t)(value.text[i] - '0');
    }
    headers->length_seen = true;
    head->body_length = length;
    return HEAD_DONE;
}

static enum head_result take_encoding(struct span value, struct headers *headers, struct head *head)
{
    if (headers->encoding_seen || !span_is(value, "chunked"))
        return bad(head, 501, "Transfer-Encoding other than chunked");
    headers->encoding_seen = true;
    return HEAD_DONE;
}

/* What is between the client and us, and not for the server. */
static bool is_for_us(struct span name)
{
    static const char *const names[] = {
        "Connection",
        "Keep-Alive",
        "Proxy-Authenticate",
        "Proxy-Authorization",
        "Proxy-Connection",
        "TE",
        "Trailer",
        "Upgrade",
        "HTTP2-Settings",
        "Host",
    };
    for (size_t i = 0; i < COUNT(names); i++)
        if (span_is(name, names[i]))
            return true;
    return false;
}

static enum head_result take_header(struct span line, struct headers *headers, struct head *head)
{
    enum head_result result = HEAD_DONE;
    const char *colon = memchr(line.text, ':', line.length);
    if (++headers->count > HEAD_HEADERS_MAX)
        return bad(head, 431, "more than %d headers", HEAD_HEADERS_MAX);
    if (colon == NULL || !is_token((struct span){line.text, (size_t)(colon - line.text)}))
        return bad(head, 400, "a header is no NAME: VALUE");
    struct span name = {line.text, (size_t)(colon - line.text)};
    struct span value = trim((struct span){colon + 1, line.length - name.length - 1});
    if (span_is(name, "Host")) {
        if (headers->host_seen)
            return bad(head, 400, "Host is given twice");
        headers->host_seen = true;
        headers->host = value;
    } else if (span_is(name, "Content-Length")) {
        result = take_length(value, headers, head);
    } else if (span_is(name, "Transfer-Encoding")) {
        result = take_encoding(value, headers, head);
    } else if (span_is(name, "Expect")) {
        head->expects_continue = span_is(value, "100-continue");
    }
    if (result == HEAD_DONE && !is_for_us(name))
        strbuf_addf(&head->text, "%.*s: %.*s\r\n", (int)name.length, name.text, (int)value.length,
                    value.text);
    return result;
}

static enum head_result take_end(const struct headers *headers, struct head *head)
{
    bool tunnel = head->target.protocol == PROTOCOL_HTTPS;
    if (headers->length_seen && headers->encoding_seen)
        return bad(head, 400, "Content-Length and Transfer-Encoding together");
    if (headers->encoding_seen)
        head->body = BODY_CHUNKED;
    else if (head->body_length > 0)
        head->body = BODY_LENGTH;
    if (tunnel && head->body != BODY_NONE)
        return bad(head, 400, "CONNECT has no body");
    strbuf_addstr(&head->text, "Connection: close\r\n\r\n");
    return HEAD_DONE;
}

/* ---- the head -------------------------------------------------------------------------------- */

static enum head_result parse_lines(const char *bytes, size_t length, struct head *head)
{
    struct headers headers = {0};
    struct span line;
    size_t at = 0;
    for (bool first = true;; first = false) {
        enum head_result result = next_line(bytes, length, &at, &line);
        if (result == HEAD_MORE)
            return result;
        if (result == HEAD_BAD)
            return bad(head, 400, "a line does not end in CR LF, or holds controls");
        if (first)
            result = take_first_line(line, head);
        else if (line.length > 0)
            result = take_header(line, &headers, head);
        else
            break;
        if (result != HEAD_DONE)
            return result;
    }
    head->length = at;
    return take_end(&headers, head);
}

enum head_result head_parse(const char *bytes, size_t length, struct head *head)
{
    memset(head, 0, sizeof *head);
    size_t looked_at = length < HEAD_MAX ? length : HEAD_MAX;
    enum head_result result = parse_lines(bytes, looked_at, head);
    if (result == HEAD_MORE && length >= HEAD_MAX)
        result = bad(head, 431, "the request's head is longer than %zu bytes", HEAD_MAX);
    if (result == HEAD_MORE && length > HEAD_LINE_MAX && memchr(bytes, '\n', length) == NULL)
        result = bad(head, 414, "the first line is too long");
    if (result != HEAD_DONE)
        strbuf_free(&head->text);
    return result;
}

void head_clear(struct head *head)
{
    strbuf_free(&head->text);
}

/* ---- inside a tunnel ------------------------------------------------------------------------- */

/* Could these bytes be the beginning of METHOD SP? */
static bool begins_as_request(const char *bytes, size_t length)
{
    size_t word = 0;
    while (word < length && bytes[word] >= 'A' && bytes[word] <= 'Z')
        word++;
    return word <= 20 && (word == length || (word > 2 && bytes[word] == ' '));
}

/* Whom a request names to a proxy: "http://host/path", and "host:port" of CONNECT. */
static bool named_in_target(struct span method, struct span url, struct span *host)
{
    const char *scheme = memmem(url.text, url.length, "://", 3);
    *host = url;
    if (scheme != NULL && *url.text != '/') {
        host->text = scheme + 3;
        host->length = url.length - (size_t)(host->text - url.text);
        for (size_t i = 0; i < host->length; i++)
            if (strchr("/?#", host->text[i]) != NULL)
                host->length = i;
        return true;
    }
    return method.length == 7 && memcmp(method.text, "CONNECT", 7) == 0;
}

enum head_result head_peek_host(const char *bytes, size_t length, char **host)
{
    struct span line, method, url, version, named;
    struct headers headers = {0};
    struct head unused = {.status = 0};
    size_t at = 0;
    *host = NULL;
    while (length > 0 && (*bytes == '\r' || *bytes == '\n')) /* which servers pass over */
        bytes++, length--;
    if (!begins_as_request(bytes, length) || length > HEAD_MAX)
        return HEAD_BAD;
    enum head_result result = next_line(bytes, length, &at, &line);
    if (result != HEAD_DONE)
        return result;
    if (!split_line(line, &method, &url, &version) || version.length < 5 ||
        strncmp(version.text, "HTTP/", 5) != 0)
        return HEAD_BAD;
    while ((result = next_line(bytes, length, &at, &line)) == HEAD_DONE && line.length > 0)
        if ((result = take_header(line, &headers, &unused)) != HEAD_DONE)
            break;
    strbuf_free(&unused.text);
    if (result == HEAD_DONE && named_in_target(method, url, &named))
        *host = xstrndup(named.text, named.length);
    else if (result == HEAD_DONE)
        *host = headers.host_seen ? xstrndup(headers.host.text, headers.host.length) : xstrdup("");
    return result;
}
