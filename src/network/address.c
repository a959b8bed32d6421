/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>

#include "base/array.h"

struct range {
    uint8_t bytes[16];
    unsigned bits;
    enum address_class class;
};

/* The first that fits decides. Sources: IANA's special-purpose address registries (RFC 6890) and
 * the clouds' own documentation of their metadata services. */
static const struct range ranges4[] = {
    {{169, 254, 169, 254}, 32, ADDRESS_METADATA}, /* most clouds */
    {{169, 254, 170, 2}, 32, ADDRESS_METADATA},   /* containers at AWS */
    {{169, 254, 170, 23}, 32, ADDRESS_METADATA},  /* the same, pods */
    {{100, 100, 100, 200}, 32, ADDRESS_METADATA}, /* Alibaba */
    {{168, 63, 129, 16}, 32, ADDRESS_METADATA},   /* Azure */
    {{192, 0, 0, 192}, 32, ADDRESS_METADATA},     /* Oracle */
    {{0, 0, 0, 0}, 8, ADDRESS_LOOPBACK},          {{127, 0, 0, 0}, 8, ADDRESS_LOOPBACK},
    {{10, 0, 0, 0}, 8, ADDRESS_PRIVATE},          {{172, 16, 0, 0}, 12, ADDRESS_PRIVATE},
    {{192, 168, 0, 0}, 16, ADDRESS_PRIVATE},      {{100, 64, 0, 0}, 10, ADDRESS_PRIVATE},
    {{169, 254, 0, 0}, 16, ADDRESS_LINK_LOCAL},   {{192, 0, 0, 0}, 24, ADDRESS_RESERVED},
    {{192, 0, 2, 0}, 24, ADDRESS_RESERVED},       {{192, 88, 99, 0}, 24, ADDRESS_RESERVED},
    {{198, 18, 0, 0}, 15, ADDRESS_RESERVED},      {{198, 51, 100, 0}, 24, ADDRESS_RESERVED},
    {{203, 0, 113, 0}, 24, ADDRESS_RESERVED},     {{224, 0, 0, 0}, 4, ADDRESS_MULTICAST},
    {{240, 0, 0, 0}, 4, ADDRESS_RESERVED},
};

static const struct range ranges6[] = {
    {{0xfd, 0, 0x0e, 0xc2, [15] = 0x54, [14] = 0x02},
     128,
     ADDRESS_METADATA}, /* AWS: fd00:ec2::254 */
    {{0xfd, 0x20, 0, 0xce, [15] = 0x54, [14] = 0x02}, 128, ADDRESS_METADATA}, /* Google */
    {{[15] = 0}, 128, ADDRESS_LOOPBACK},
    {{[15] = 1}, 128, ADDRESS_LOOPBACK},
    {{0xfc}, 7, ADDRESS_PRIVATE},
    {{0xfe, 0xc0}, 10, ADDRESS_PRIVATE},
    {{0xfe, 0x80}, 10, ADDRESS_LINK_LOCAL},
    {{0xff}, 8, ADDRESS_MULTICAST},
    {{0x20, 0x01, 0x0d, 0xb8}, 32, ADDRESS_RESERVED},
    {{0x20, 0x01, 0, 0}, 32, ADDRESS_RESERVED}, /* Teredo */
    {{0x3f, 0xff}, 20, ADDRESS_RESERVED},
    {{0x01}, 64, ADDRESS_RESERVED},
    /* NAT64 of a network's own (RFC 8215), which chooses where the IPv4 address stands in it. */
    {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48, ADDRESS_PRIVATE},
};

static bool in_prefix(const uint8_t *bytes, const uint8_t *prefix, unsigned bits)
{
    if (memcmp(bytes, prefix, bits / 8) != 0)
        return false;
    unsigned rest = bits % 8;
    return rest == 0 || ((bytes[bits / 8] ^ prefix[bits / 8]) >> (8 - rest)) == 0;
}

static enum address_class find(const uint8_t *bytes, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (in_prefix(bytes, ranges[i].bytes, ranges[i].bits))
            return ranges[i].class;
    return ADDRESS_PUBLIC;
}

static const uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff};

static void unmap(struct network_address *address)
{
    if (address->family != AF_INET6 || !in_prefix(address->bytes, mapped, 96))
        return;
    uint8_t bytes[16] = {0};
    memcpy(bytes, address->bytes + 12, 4);
    memcpy(address->bytes, bytes, sizeof bytes);
    address->family = AF_INET;
}

bool address_from_sockaddr(const struct sockaddr *socket_address, struct network_address *address)
{
    memset(address, 0, sizeof *address);
    address->family = socket_address->sa_family;
    if (address->family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, socket_address, sizeof in);
        memcpy(address->bytes, &in.sin_addr, 4);
        return true;
    }
    if (address->family != AF_INET6)
        return false;
    struct sockaddr_in6 in;
    memcpy(&in, socket_address, sizeof in);
    memcpy(address->bytes, &in.sin6_addr, 16);
    unmap(address);
    return true;
}

socklen_t address_to_sockaddr(const struct network_address *address, uint16_t port,
                              struct sockaddr_storage *storage)
{
    memset(storage, 0, sizeof *storage);
    if (address->family == AF_INET) {
        struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
        memcpy(&in.sin_addr, address->bytes, 4);
        memcpy(storage, &in, sizeof in);
        return sizeof in;
    }
    struct sockaddr_in6 in = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    memcpy(&in.sin6_addr, address->bytes, 16);
    memcpy(storage, &in, sizeof in);
    return sizeof in;
}

void address_format(const struct network_address *address, char text[ADDRESS_TEXT_MAX])
{
    if (inet_ntop(address->family, address->bytes, text, ADDRESS_TEXT_MAX) == NULL)
        text[0] = '\0';
}

bool address_equal(const struct network_address *left, const struct network_address *right)
{
    return left->family == right->family &&
           memcmp(left->bytes, right->bytes, sizeof left->bytes) == 0;
}

/* Where in an IPv6 address an IPv4 one is embedded that a router may unpack: its offset, or 0. */
static unsigned embedded_at(const uint8_t *bytes)
{
    static const struct {
        uint8_t bytes[16];
        unsigned bits, offset;
    } forms[] = {
        {{0}, 96, 12},                        /* compatible; :: and ::1 come before */
        {{[10] = 0xff, [11] = 0xff}, 96, 12}, /* mapped */
        {{[8] = 0xff, [9] = 0xff}, 96, 12},   /* translated, RFC 2765 */
        {{0x00, 0x64, 0xff, 0x9b}, 96, 12},   /* NAT64 */
        {{0x20, 0x02}, 16, 2},                /* 6to4 */
    };
    for (size_t i = 0; i < COUNT(forms); i++)
        if (in_prefix(bytes, forms[i].bytes, forms[i].bits))
            return forms[i].offset;
    return 0;
}

enum address_class address_classify(const struct network_address *address)
{
    if (address->family == AF_INET)
        return find(address->bytes, ranges4, COUNT(ranges4));
    enum address_class class = find(address->bytes, ranges6, COUNT(ranges6));
    unsigned offset = embedded_at(address->bytes);
    if (class == ADDRESS_PUBLIC && offset > 0)
        return find(address->bytes + offset, ranges4, COUNT(ranges4));
    return class;
}

bool address_is_own(const struct network_address *address)
{
    struct ifaddrs *list;
    bool own = false;
    if (getifaddrs(&list) != 0)
        return false;
    for (const struct ifaddrs *at = list; at != NULL && !own; at = at->ifa_next) {
        struct network_address one;
        own = at->ifa_addr != NULL && address_from_sockaddr(at->ifa_addr, &one) &&
              address_equal(&one, address);
    }
    freeifaddrs(list);
    return own;
}

const char *address_class_name(enum address_class class)
{
    static const char *const names[] = {
        [ADDRESS_PUBLIC] = "public",     [ADDRESS_LOOPBACK] = "loopback",
        [ADDRESS_PRIVATE] = "private",   [ADDRESS_LINK_LOCAL] = "link-local",
        [ADDRESS_METADATA] = "metadata", [ADDRESS_MULTICAST] = "multicast",
        [ADDRESS_RESERVED] = "reserved",
    };
    return names[class];
}
