/* SPDX-License-Identifier: MIT */
/* proxy_fixture: the proxy between real sockets, all in the loop of the test; only names are looked
 * up by the test itself. For cmocka tests. */
#ifndef ASSENT_TESTS_PROXY_FIXTURE_H
#define ASSENT_TESTS_PROXY_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "network/proxy.h"

#define PROXY_FIXTURE_STEPS 3000 /* of at most 10 ms: longer than any test needs */
#define PROXY_FIXTURE_ESTABLISHED "HTTP/1.1 200 Connection established\r\n\r\n"

struct proxy_fixture {
    struct loop *loop;
    struct resolver *resolver;
    struct proxy *proxy;
    struct next_hop *hop; /* or NULL */
    uint16_t proxy_port, server_port;
    int server;                    /* listening */
    enum proxy_verdict verdict[2]; /* to the first question, and to the next */
    unsigned asked, withdrawn, ended;
    struct passage *waiting;
    char url[300];
    enum address_class class;
    size_t address_count;
    struct proxy_report report;
    char detail[300];
};

int proxy_fixture_set_up(void **state);
int proxy_fixture_tear_down(void **state);
/* From here on connections go out through the fixture's server as their next hop; `credentials` is
 * "NAME:PASSWORD@" or "". */
void proxy_fixture_use_hop(struct proxy_fixture *fixture, const char *credentials);
/* Names that were looked up; "here.example" is this machine the first time, and elsewhere the
 * second. */
unsigned proxy_fixture_lookups(void);
/* Addresses that were connected to since the set-up (the client's own connection among them), each
 * followed by a space. "mixed.example" leads to several, of which 93.184.215.14 is the server. */
const char *proxy_fixture_attempts(void);

/* Descriptors are non-blocking and the caller's. */
int proxy_fixture_connect(const struct proxy_fixture *fixture); /* to the proxy */
int proxy_fixture_accept(const struct proxy_fixture *fixture);  /* what came to the server */
/* A granted tunnel; *server is its other end. */
int proxy_fixture_open_tunnel(struct proxy_fixture *fixture, int *server);
void proxy_fixture_put(int fd, const char *bytes, size_t length);
void proxy_fixture_put_text(int fd, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Turns the loop until the text was read from the descriptor, which must be all that comes. */
void proxy_fixture_expect(const struct proxy_fixture *fixture, int fd, const char *text,
                          size_t length);
void proxy_fixture_expect_text(const struct proxy_fixture *fixture, int fd, const char *text);
/* Until the other side has ended; returns what came before, which the caller frees. */
char *proxy_fixture_read_rest(const struct proxy_fixture *fixture, int fd);
void proxy_fixture_step_until(const struct proxy_fixture *fixture, const unsigned *counter,
                              unsigned value);

#endif
