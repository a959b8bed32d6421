/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/reply.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"

static const char *phrase_of(int status)
{
    switch (status) {
    case 400:
        return "Bad Request";
    case 403:
        return "Forbidden";
    case 414:
        return "URI Too Long";
    case 431:
        return "Request Header Fields Too Large";
    case 501:
        return "Not Implemented";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Bad Gateway";
    }
}

char *reply_http(int status, const char *text)
{
    return xasprintf("HTTP/1.1 %d %s\r\n"
                     "Content-Type: text/plain; charset=utf-8\r\n"
                     "Content-Length: %zu\r\n"
                     "Proxy-Status: assent\r\n"
                     "Connection: close\r\n\r\n%s\n",
                     status, phrase_of(status), strlen(text) + 1, text);
}

enum socks_reply reply_socks(bool denied, int number)
{
    if (denied)
        return SOCKS_NOT_ALLOWED;
    switch (number) {
    case ECONNREFUSED:
        return SOCKS_REFUSED;
    case ENETUNREACH:
        return SOCKS_NETWORK_UNREACHABLE;
    case EHOSTUNREACH:
    case ETIMEDOUT:
        return SOCKS_HOST_UNREACHABLE;
    default:
        return SOCKS_FAILED;
    }
}
