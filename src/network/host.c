/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <idn2.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

#define LABEL_MAX 63
/* A name in letters that take up to four bytes each, before it is converted. */
#define WRITTEN_MAX ((size_t)1024)

static int refuse(struct error *error, const char *why)
{
    return error_set(error, 0, "this is not the name of a host: %s", why);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void set_address(struct network_host *host, const struct sockaddr *address)
{
    host->literal = true;
    address_from_sockaddr(address, &host->address);
    address_format(&host->address, host->name);
}

static int parse_ipv6(const char *text, size_t length, struct network_host *host,
                      struct error *error)
{
    char copy[INET6_ADDRSTRLEN];
    struct sockaddr_in6 in = {.sin6_family = AF_INET6};
    if (length >= sizeof copy)
        return refuse(error, "no IPv6 address is that long");
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (inet_pton(AF_INET6, copy, &in.sin6_addr) != 1)
        return refuse(error, "an IPv6 address has another form");
    set_address(host, (const struct sockaddr *)&in);
    return 0;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Resolvers take a name whose last label is a number for an IPv4 address, in whatever form. */
static bool ends_in_number(const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *label = dot != NULL ? dot + 1 : name;
    if (label[strspn(label, "0123456789")] == '\0')
        return true;
    return label[0] == '0' && label[1] == 'x' &&
           label[2 + strspn(label + 2, "0123456789abcdef")] == '\0';
}

static int parse_ipv4(const char *name, struct network_host *host, struct error *error)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    if (!is_digit(name[0]) || inet_aton(name, &in.sin_addr) == 0)
        return refuse(error, "it ends in a number, and is no IPv4 address");
    set_address(host, (const struct sockaddr *)&in);
    return 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_name_byte(char byte)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_';
}

static int check_labels(const char *name, struct error *error)
{
    size_t length = 0;
    for (const char *at = name;; at++) {
        if (*at == '.' || *at == '\0') {
            if (length == 0)
                return refuse(error, "a part between two dots is empty");
            if (length > LABEL_MAX)
                return refuse(error, "a part is longer than 63 bytes");
            length = 0;
            if (*at == '\0')
                return 0;
        } else if (is_name_byte(*at)) {
            length++;
        } else {
            return refuse(error, "it holds a character that host names do not have");
        }
    }
}

static bool is_ascii(const char *text)
{
    while (*text != '\0' && (unsigned char)*text < 0x80)
        text++;
    return *text == '\0';
}

static void to_lower(char *text)
{
    for (; *text != '\0'; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

static bool has_punycode(const char *name)
{
    return strncmp(name, "xn--", 4) == 0 || strstr(name, ".xn--") != NULL;
}

/* The A-label form of a name; also checks names that come in that form already. The caller frees
 * with idn2_free(). */
static int to_ascii(const char *text, char **name, struct error *error)
{
    int result = idn2_lookup_u8((const uint8_t *)text, (uint8_t **)name,
                                IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
    return result == IDN2_OK ? 0 : refuse(error, idn2_strerror(result));
}

static int convert(const char *written, char *name, struct error *error)
{
    char *converted = NULL;
    if (to_ascii(written, &converted, error) != 0)
        return -1;
    bool fits = strlen(converted) <= HOST_MAX;
    if (fits)
        strcpy(name, converted);
    idn2_free(converted);
    return fits ? 0 : refuse(error, "it is longer than 253 bytes");
}

static int parse_name(char *written, struct network_host *host, struct error *error)
{
    to_lower(written);
    if (!is_ascii(written) || has_punycode(written)) {
        if (convert(written, host->name, error) != 0)
            return -1;
        to_lower(host->name);
    } else if (strlen(written) > HOST_MAX) {
        return refuse(error, "it is longer than 253 bytes");
    } else {
        strcpy(host->name, written);
    }
    size_t length = strlen(host->name);
    if (length > 0 && host->name[length - 1] == '.')
        host->name[length - 1] = '\0';
    if (check_labels(host->name, error) != 0)
        return -1;
    return ends_in_number(host->name) ? parse_ipv4(host->name, host, error) : 0;
}

int host_parse(const char *text, size_t length, struct network_host *host, struct error *error)
{
    char written[WRITTEN_MAX + 2];
    memset(host, 0, sizeof *host);
    if (length == 0)
        return refuse(error, "it is empty");
    if (length > WRITTEN_MAX)
        return refuse(error, "it is too long");
    if (memchr(text, '\0', length) != NULL || !text_valid_utf8(text, length))
        return refuse(error, "it is not text");
    if (text[0] == '[')
        return text[length - 1] == ']' && length > 2 ? parse_ipv6(text + 1, length - 2, host, error)
                                                     : refuse(error, "a bracket is not closed");
    if (memchr(text, ':', length) != NULL)
        return parse_ipv6(text, length, host, error);
    memcpy(written, text, length);
    written[length] = '\0';
    return parse_name(written, host, error);
}

char *host_unicode(const char *name)
{
    char *converted = NULL;
    if (!has_punycode(name) || idn2_to_unicode_8z8z(name, &converted, 0) != IDN2_OK)
        return NULL;
    char *copy = strcmp(converted, name) != 0 ? xstrdup(converted) : NULL;
    idn2_free(converted);
    return copy;
}

bool host_is_lookalike(const char *name)
{
    cleanup_free char *readable = host_unicode(name);
    return readable != NULL && text_mixed_scripts(readable, strlen(readable));
}

bool host_is_localhost(const char *name)
{
    static const char localhost[] = "localhost";
    size_t length = strlen(name), suffix = sizeof localhost - 1;
    return length >= suffix && strcmp(name + length - suffix, localhost) == 0 &&
           (length == suffix || name[length - suffix - 1] == '.');
}
