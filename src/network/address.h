/* SPDX-License-Identifier: MIT */
/*
 * address: what an IP address stands for. A grant for a host covers public addresses only; what
 * else a name leads to (this machine, the local network, a cloud's metadata) is a question of its
 * own.
 */
#ifndef ASSENT_NETWORK_ADDRESS_H
#define ASSENT_NETWORK_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct network_address {
    int family;        /* AF_INET or AF_INET6 */
    uint8_t bytes[16]; /* network order; the first 4 for AF_INET, the others 0 */
};

enum address_class {
    ADDRESS_PUBLIC,
    ADDRESS_LOOPBACK,   /* this machine; also 0.0.0.0 and ::, which lead to it */
    ADDRESS_PRIVATE,    /* local networks: RFC 1918, RFC 6598, RFC 4193, site-local */
    ADDRESS_LINK_LOCAL, /* RFC 3927, fe80::/10 */
    ADDRESS_METADATA,   /* where clouds hand credentials to their machines */
    ADDRESS_MULTICAST,
    ADDRESS_RESERVED, /* documentation, benchmarks, future use: never a server of the Internet */
};

#define ADDRESS_TEXT_MAX 46 /* as INET6_ADDRSTRLEN */

/* An IPv4 address in an IPv6 one that maps to it (::ffff:a.b.c.d) becomes AF_INET: both reach the
 * same. False for another family. */
bool address_from_sockaddr(const struct sockaddr *socket_address, struct network_address *address);
/* Fills `storage`; returns its length in bytes. */
socklen_t address_to_sockaddr(const struct network_address *address, uint16_t port,
                              struct sockaddr_storage *storage);
/* "192.0.2.1", "2001:db8::1". */
void address_format(const struct network_address *address, char text[ADDRESS_TEXT_MAX]);
bool address_equal(const struct network_address *left, const struct network_address *right);

/* Of the address and of what it embeds: IPv4-compatible, NAT64 (RFC 6052), 6to4 (RFC 3056). */
enum address_class address_classify(const struct network_address *address);
/* Is it one of this machine's interfaces? Asks the kernel. */
bool address_is_own(const struct network_address *address);
const char *address_class_name(enum address_class class); /* "public", "loopback" … */

#endif
