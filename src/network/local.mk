# SPDX-License-Identifier: MIT
noinst_LIBRARIES += libnetwork.a
libnetwork_a_SOURCES = \
	src/network/address.c src/network/address.h \
	src/network/body.c src/network/body.h \
	src/network/passage.c src/network/passage.h src/network/passage-int.h \
	src/network/passage_connect.c \
	src/network/passage_grant.c \
	src/network/passage_request.c \
	src/network/hello.c src/network/hello.h \
	src/network/host.c src/network/host.h \
	src/network/http.c src/network/http.h \
	src/network/head.c src/network/head.h \
	src/network/known.c src/network/known.h \
	src/network/next_hop.c src/network/next_hop.h \
	src/network/peek.c src/network/peek.h \
	src/network/proxy.c src/network/proxy.h \
	src/network/reply.c src/network/reply.h \
	src/network/resolver.c src/network/resolver.h \
	src/network/socks.c src/network/socks.h \
	src/network/target.c src/network/target.h \
	src/network/tunnel.c src/network/tunnel.h
libnetwork_a_CFLAGS = $(AM_CFLAGS) $(IDN2_CFLAGS) $(AX_PTHREAD_FLAGS)
EXTRA_DIST += src/network/README
