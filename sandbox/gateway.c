/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/gateway.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/fd.h"

/* The kernel cuts it to its own limit (listen(2)). */
#define BACKLOG 4096

#define STRING(value) #value
#define PORT_OF(value) STRING(value)
#define HOST "127.0.0.1"
#define PORT PORT_OF(GATEWAY_PORT)
#define URL "http://" HOST ":" PORT
#define NOT_FOR "localhost,127.0.0.1,::1"

/* Each with the programs that look at it. A proxy of the type socks would be the more general one
 * for ALL_PROXY, but Python's clients end with an error when they lack its support. */
const char *const GATEWAY_VARIABLES[] = {
    "HTTP_PROXY=" URL, /* Go, Python, Ruby, Rust, docker's client, Deno, Bun */
    "http_proxy=" URL, /* curl, git, wget, apt, Perl; curl does not look at the large letters */
    "HTTPS_PROXY=" URL,
    "https_proxy=" URL,
    "ALL_PROXY=" URL,
    "all_proxy=" URL,
    "NO_PROXY=" NOT_FOR,
    "no_proxy=" NOT_FOR,
    "NODE_USE_ENV_PROXY=1", /* fetch() and https of Node.js from 22.21 and 24 */
    "npm_config_proxy=" URL,
    "npm_config_https_proxy=" URL,
    "npm_config_noproxy=" NOT_FOR,
    "YARN_HTTP_PROXY=" URL, /* Yarn from 2 */
    "YARN_HTTPS_PROXY=" URL,
    "GLOBAL_AGENT_HTTP_PROXY=" URL, /* older programs of Node.js */
    "ELECTRON_GET_USE_PROXY=1",
    "CARGO_HTTP_PROXY=" URL,
    "JAVA_TOOL_OPTIONS=-Dhttp.proxyHost=" HOST " -Dhttp.proxyPort=" PORT " -Dhttps.proxyHost=" HOST
    " -Dhttps.proxyPort=" PORT, /* every JVM: Gradle, Maven, sbt */
    "RSYNC_PROXY=" HOST ":" PORT,
    "CLOUDSDK_PROXY_TYPE=http",
    "CLOUDSDK_PROXY_ADDRESS=" HOST,
    "CLOUDSDK_PROXY_PORT=" PORT,
    NULL,
};

static bool is_plain(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-";
    return path != NULL && path[strspn(path, plain)] == '\0';
}

char **gateway_own_variables(const char *connect, const char *node_module)
{
    char **variables = xcalloc(3, sizeof *variables);
    size_t count = 0;
    if (is_plain(connect))
        variables[count++] = xasprintf("GIT_SSH_COMMAND=ssh -o ProxyCommand='%s %%h %%p' "
                                       "-o UserKnownHostsFile=" GATEWAY_KNOWN_HOSTS,
                                       connect);
    if (is_plain(node_module))
        variables[count++] = xasprintf("NODE_OPTIONS=--require=%s", node_module);
    return variables;
}

int gateway_listen(struct error *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(GATEWAY_PORT),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) < 0 ||
        listen(fd, BACKLOG) < 0) {
        error_set(error, errno, "a socket for connections to the console's proxy");
        fd_close(&fd);
    }
    return fd;
}
