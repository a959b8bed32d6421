/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/next_hop.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/base64.h"

struct next_hop {
    struct network_host host;
    uint16_t port;
    char *name;          /* host and port */
    char *authorization; /* what follows "Basic ", or NULL */
    char **except;       /* entries of NO_PROXY, in small letters */
};

/* ---- reading the settings -------------------------------------------------------------------- */

static int hex_value(char digit)
{
    if (isdigit((unsigned char)digit))
        return digit - '0';
    return isxdigit((unsigned char)digit) ? tolower((unsigned char)digit) - 'a' + 10 : -1;
}

/* In place: %40 becomes @. The new length. */
static size_t decode_percent(char *text)
{
    char *out = text;
    for (const char *at = text; *at != '\0'; at++)
        if (*at == '%' && hex_value(at[1]) >= 0 && hex_value(at[2]) >= 0) {
            *out++ = (char)(hex_value(at[1]) * 16 + hex_value(at[2]));
            at += 2;
        } else {
            *out++ = *at;
        }
    *out = '\0';
    return (size_t)(out - text);
}

/* "name:password" as it stands in an address. */
static char *authorization_of(const char *text, size_t length)
{
    struct strbuf out = STRBUF_INIT;
    char *plain = xstrndup(text, length);
    size_t decoded = decode_percent(plain);
    base64_encode(&out, plain, decoded);
    explicit_bzero(plain, length);
    free(plain);
    return strbuf_steal(&out);
}

/* "host", "host:port", "[::1]:port". */
static int read_authority(const char *text, size_t length, struct network_host *host,
                          uint16_t *port, struct error *error)
{
    const char *colon = memrchr(text, ':', length);
    const char *bracket = memrchr(text, ']', length);
    size_t width = length;
    *port = 80;
    if (colon != NULL && (bracket == NULL || colon > bracket)) {
        cleanup_free char *digits = xstrndup(colon + 1, (size_t)(text + length - colon - 1));
        char *end;
        unsigned long number = strtoul(digits, &end, 10);
        if (*digits == '\0' || *end != '\0' || number == 0 || number > UINT16_MAX)
            return error_set(error, 0, "the proxy's port is no number from 1 to 65535");
        *port = (uint16_t)number;
        width = (size_t)(colon - text);
    }
    return host_parse(text, width, host, error);
}

static char **split_list(const char *list)
{
    char **entries = xcalloc(strlen(list) / 2 + 2, sizeof *entries);
    size_t count = 0;
    for (size_t length; *list != '\0'; list += length) {
        list += strspn(list, ", \t");
        length = strcspn(list, ", \t");
        if (length == 0)
            continue;
        char *entry = xstrndup(list, length);
        for (char *at = entry; *at != '\0'; at++)
            *at = (char)tolower((unsigned char)*at);
        entries[count++] = entry;
    }
    return entries;
}

struct next_hop *next_hop_new(const char *url, const char *except, struct error *error)
{
    struct network_host host;
    uint16_t port;
    const char *scheme = strstr(url, "://");
    const char *authority = scheme != NULL ? scheme + 3 : url;
    size_t length = strcspn(authority, "/?#");
    const char *at = memrchr(authority, '@', length);
    const char *name = at != NULL ? at + 1 : authority;
    if (scheme != NULL && strncasecmp(url, "http://", 7) != 0) {
        error_set(error, 0, "only proxies with http:// are supported");
        return NULL;
    }
    if (read_authority(name, length - (size_t)(name - authority), &host, &port, error) != 0)
        return NULL;
    struct next_hop *hop = XNEW(struct next_hop);
    const struct network_target target = {.host = host, .port = port};
    hop->host = host;
    hop->port = port;
    hop->name = target_authority(&target);
    if (at != NULL)
        hop->authorization = authorization_of(authority, (size_t)(at - authority));
    hop->except = split_list(except != NULL ? except : "");
    return hop;
}

struct next_hop *next_hop_from(const char *(*look)(const char *name), struct error *error)
{
    static const char *const names[] = {"HTTPS_PROXY", "https_proxy", "ALL_PROXY",
                                        "all_proxy",   "http_proxy",  "HTTP_PROXY"};
    const char *except = look("NO_PROXY");
    const char *url = NULL;
    for (size_t i = 0; i < COUNT(names) && url == NULL; i++) {
        url = look(names[i]);
        url = url != NULL && *url != '\0' ? url : NULL;
    }
    if (except == NULL)
        except = look("no_proxy");
    return url != NULL ? next_hop_new(url, except, error) : NULL;
}

void next_hop_forget(char **request)
{
    if (*request != NULL)
        explicit_bzero(*request, strlen(*request));
    free(*request);
    *request = NULL;
}

void next_hop_free(struct next_hop **place)
{
    struct next_hop *hop = steal_pointer(place);
    if (hop == NULL)
        return;
    next_hop_forget(&hop->authorization);
    strv_free(&hop->except);
    free(hop->name);
    free(hop);
}

/* ---- whom it serves -------------------------------------------------------------------------- */

static bool in_network(const struct network_address *address, const struct network_address *network,
                       unsigned bits)
{
    size_t whole = bits / 8;
    unsigned mask = (0xff00U >> bits % 8) & 0xffU;
    if (address->family != network->family || bits > (network->family == AF_INET ? 32 : 128))
        return false;
    return memcmp(address->bytes, network->bytes, whole) == 0 &&
           (mask == 0 || ((address->bytes[whole] ^ network->bytes[whole]) & mask) == 0);
}

/* "10.0.0.0/8" and "192.0.2.1". */
static bool address_excepted(const struct network_host *host, const char *entry, size_t length)
{
    const char *slash = memchr(entry, '/', length);
    struct network_host network;
    size_t width = slash != NULL ? (size_t)(slash - entry) : length;
    if (!host->literal || host_parse(entry, width, &network, NULL) != 0 || !network.literal)
        return false;
    if (slash == NULL)
        return address_equal(&host->address, &network.address);
    return isdigit((unsigned char)slash[1]) &&
           in_network(&host->address, &network.address, (unsigned)strtoul(slash + 1, NULL, 10));
}

/* "example.org" and ".example.org" are for what is beneath, too. */
static bool name_excepted(const char *name, const char *entry, size_t length)
{
    size_t skip = length > 0 && *entry == '*' ? 1 : 0;
    skip += length > skip && entry[skip] == '.';
    size_t width = length - skip, whole = strlen(name);
    if (width == 0 || whole < width || memcmp(name + whole - width, entry + skip, width) != 0)
        return false;
    return whole == width || name[whole - width - 1] == '.';
}

static bool is_excepted(const struct network_target *target, const char *entry)
{
    size_t length = strlen(entry);
    const char *colon = strrchr(entry, ':');
    if (strcmp(entry, "*") == 0)
        return true;
    if (colon != NULL && strchr(entry, ':') == colon) { /* else an IPv6 address */
        if (strtoul(colon + 1, NULL, 10) != target->port)
            return false;
        length = (size_t)(colon - entry);
    }
    return address_excepted(&target->host, entry, length) ||
           (!target->host.literal && name_excepted(target->host.name, entry, length));
}

bool next_hop_serves(const struct next_hop *hop, const struct network_target *target)
{
    const struct network_host *host = &target->host;
    if (host_is_localhost(host->name) ||
        (host->literal &&
         (address_classify(&host->address) == ADDRESS_LOOPBACK || address_is_own(&host->address))))
        return false;
    for (char **entry = hop->except; *entry != NULL; entry++)
        if (is_excepted(target, *entry))
            return false;
    return true;
}

const struct network_host *next_hop_host(const struct next_hop *hop)
{
    return &hop->host;
}

uint16_t next_hop_port(const struct next_hop *hop)
{
    return hop->port;
}

const char *next_hop_name(const struct next_hop *hop)
{
    return hop->name;
}

/* ---- speaking with it ------------------------------------------------------------------------ */

static void add_authorization(struct strbuf *out, const struct next_hop *hop)
{
    if (hop->authorization != NULL)
        strbuf_addf(out, "Proxy-Authorization: Basic %s\r\n", hop->authorization);
}

char *next_hop_connect(const struct next_hop *hop, const struct network_target *target)
{
    struct strbuf out = STRBUF_INIT;
    cleanup_free char *authority = target_authority(target);
    strbuf_addf(&out, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n", authority, authority);
    add_authorization(&out, hop);
    strbuf_addstr(&out, "\r\n");
    return strbuf_steal(&out);
}

void next_hop_rewrite(const struct next_hop *hop, const struct network_target *target,
                      struct strbuf *head)
{
    struct strbuf out = STRBUF_INIT;
    cleanup_free char *authority = target_authority(target);
    const char *path = strchr(strbuf_str(head), ' ');
    const char *line = strstr(strbuf_str(head), "\r\n");
    if (path == NULL || line == NULL || path > line)
        return;
    path++;
    strbuf_add(&out, head->data, (size_t)(path - head->data));
    strbuf_addf(&out, "http://%s", authority);
    path += *path == '*'; /* OPTIONS of the server as a whole */
    strbuf_add(&out, path, (size_t)(line + 2 - path));
    add_authorization(&out, hop);
    strbuf_addstr(&out, line + 2);
    strbuf_free(head);
    *head = out;
}

enum next_hop_answer next_hop_read(const char *bytes, size_t length, size_t *used, int *status)
{
    static const char version[] = "HTTP/1.";
    const char *end = memmem(bytes, length, "\r\n\r\n", 4);
    size_t known = length < sizeof version - 1 ? length : sizeof version - 1;
    *status = 0;
    *used = 0;
    if (memcmp(bytes, version, known) != 0)
        return NEXT_HOP_CLOSED;
    if (end == NULL)
        return length < NEXT_HOP_ANSWER_MAX ? NEXT_HOP_MORE : NEXT_HOP_CLOSED;
    *used = (size_t)(end - bytes) + 4;
    if (*used < sizeof "HTTP/1.1 200" || bytes[8] != ' ')
        return NEXT_HOP_CLOSED;
    for (size_t i = 9; i < 12; i++) {
        if (!isdigit((unsigned char)bytes[i]))
            return NEXT_HOP_CLOSED;
        *status = *status * 10 + bytes[i] - '0';
    }
    return *status >= 200 && *status < 300 ? NEXT_HOP_OPEN : NEXT_HOP_CLOSED;
}
