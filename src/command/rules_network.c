/* SPDX-License-Identifier: MIT */
/* rules_network: network_rule, read and looked up. */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/rules_parse-int.h"

/* Small letters, without brackets, port and the last dot; NULL when it is no host. */
static char *normal_host(const char *text)
{
    cleanup_free char *host = xstrdup(text);
    char *from = host;
    char *end = host + strlen(host);
    if (*from == '[') {
        from++;
        end = strchr(from, ']');
        if (end == NULL || (end[1] != '\0' && end[1] != ':') || strchr(from, ':') == NULL)
            return NULL;
    } else if (strchr(from, ':') != NULL && strchr(from, ':') == strrchr(from, ':')) {
        end = strchr(from, ':');
        if (end[1 + strspn(end + 1, "0123456789")] != '\0' || end[1] == '\0')
            return NULL;
    }
    *end = '\0';
    if (end > from && end[-1] == '.')
        *--end = '\0';
    for (char *at = from; *at != '\0'; at++) {
        if (isspace((unsigned char)*at) || strchr("/*?#@[]\\", *at) != NULL)
            return NULL;
        *at = (char)tolower((unsigned char)*at);
    }
    return *from != '\0' ? xstrdup(from) : NULL;
}

static const char *network_protocol(const char *text)
{
    static const char *const names[][2] = {
        {"http", "http"},          {"https", "https"},           {"https_connect", "https"},
        {"http-connect", "https"}, {"socks5_tcp", "socks5_tcp"}, {"socks5_udp", "socks5_udp"}};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i][0], text) == 0)
            return names[i][1];
    return NULL;
}

enum {
    HOST,
    PROTOCOL,
    NETWORK_DECISION,
    NETWORK_JUSTIFICATION,
    PORT,
    NETWORK_PROJECT,
    NETWORK_ID,
    SUBDOMAINS,
    SHADOW
};
static const struct rules_parameter network_parameters[] = {
    [HOST] = {"host", true},
    [PROTOCOL] = {"protocol", true},
    [NETWORK_DECISION] = {"decision", true},
    [NETWORK_JUSTIFICATION] = {"justification", false},
    [PORT] = {"port", false},
    [NETWORK_PROJECT] = {"project", false},
    [NETWORK_ID] = {"project_id", false},
    [SUBDOMAINS] = {"subdomains", false},
    [SHADOW] = {"shadow", false},
};

/* Copies an argument that narrows the rule. */
static int take_narrowing(const struct rules_parse *parse, const struct rules_call *call,
                          size_t index, char **place)
{
    const struct rules_value *value = rules_parse_argument(call, network_parameters, index);
    const char *text = NULL;
    if (rules_parse_string(parse, value, network_parameters[index].name, &text) != 0)
        return -1;
    *place = rules_parse_copy(text);
    if (index == PORT && text != NULL && (*text == '\0' || text[strspn(text, "0123456789")]))
        return rules_complain(&parse->reader, value->place, "port must be decimal digits");
    if (index == NETWORK_PROJECT && text != NULL && *text != '/')
        return rules_complain(&parse->reader, value->place, "project must be an absolute path");
    return 0;
}

static int take_narrowings(struct rules_parse *parse, const struct rules_call *call,
                           struct rules_network *network)
{
    int result = take_narrowing(parse, call, PORT, &network->port);
    if (result == 0)
        result = take_narrowing(parse, call, NETWORK_PROJECT, &network->project);
    if (result == 0)
        result = take_narrowing(parse, call, NETWORK_ID, &network->project_id);
    return result;
}

/* Takes `network` over. */
static void add_network(struct rules_batch *batch, const struct rules_network *network)
{
    batch->networks =
        xreallocarray(batch->networks, batch->network_count + 1, sizeof(*batch->networks));
    batch->networks[batch->network_count++] = *network;
}

static int take_subdomain(struct rules_parse *parse, const struct rules_value *name,
                          const struct rules_network *network)
{
    if (name->kind != RULES_STRING)
        return rules_parse_wrong_type(parse, name, "a subdomain", "a string");
    bool all = strcmp(name->text, "*") == 0;
    if (all && network->decision == RULE_ALLOW)
        return rules_complain(&parse->reader, name->place,
                              "subdomains that are allowed must be named one by one");
    cleanup_free char *whole = xasprintf("%s.%s", all ? "" : name->text, network->host);
    cleanup_free char *host = all ? xstrdup(whole) : normal_host(whole);
    if (host == NULL || (*host == '.') != all || strchr(host, ':') != NULL)
        return rules_complain(&parse->reader, name->place,
                              "a subdomain is what stands before the host, as in \"api\"");
    const struct rules_network one = {.host = steal_pointer(&host),
                                      .protocol = network->protocol,
                                      .port = rules_parse_copy(network->port),
                                      .project = rules_parse_copy(network->project),
                                      .project_id = rules_parse_copy(network->project_id),
                                      .decision = network->decision,
                                      .shadow = network->shadow,
                                      .line = network->line};
    add_network(&parse->batch, &one);
    return 0;
}

/* A rule for each name beneath the host that is listed; "*" is all of them. */
static int take_subdomains(struct rules_parse *parse, const struct rules_call *call,
                           const struct rules_network *network)
{
    const struct rules_value *list = rules_parse_argument(call, network_parameters, SUBDOMAINS);
    if (list == NULL)
        return 0;
    if (list->kind != RULES_LIST)
        return rules_parse_wrong_type(parse, list, "subdomains", "a list of strings");
    for (size_t i = 0; i < list->count; i++)
        if (take_subdomain(parse, &list->items[i], network) != 0)
            return -1;
    return 0;
}

static int take_shadow(const struct rules_parse *parse, const struct rules_call *call,
                       struct rules_network *network)
{
    const struct rules_value *value = rules_parse_argument(call, network_parameters, SHADOW);
    if (value != NULL && value->kind != RULES_BOOLEAN)
        return rules_parse_wrong_type(parse, value, "shadow", "True or False");
    network->shadow = value != NULL && value->truth;
    return 0;
}

int rules_parse_network(struct rules_parse *parse, struct rules_call *call)
{
    if (rules_parse_check(parse, call, network_parameters, COUNT(network_parameters)) != 0)
        return -1;
    const struct rules_value *host = rules_parse_argument(call, network_parameters, HOST);
    const struct rules_value *protocol = rules_parse_argument(call, network_parameters, PROTOCOL);
    const char *justification = NULL;
    struct rules_network network = {.decision = RULE_NONE, .line = call->place.line};
    if (host->kind != RULES_STRING || protocol->kind != RULES_STRING)
        return rules_parse_wrong_type(parse, host->kind != RULES_STRING ? host : protocol,
                                      host->kind != RULES_STRING ? "host" : "protocol", "a string");
    if (rules_parse_decision(parse,
                             rules_parse_argument(call, network_parameters, NETWORK_DECISION), true,
                             &network.decision) != 0 ||
        rules_parse_justification(
            parse, rules_parse_argument(call, network_parameters, NETWORK_JUSTIFICATION),
            &justification) != 0)
        return -1;
    network.protocol = network_protocol(protocol->text);
    if (network.protocol == NULL)
        return rules_complain(&parse->reader, protocol->place,
                              "unknown protocol (http, https, socks5_tcp or socks5_udp)");
    network.host = normal_host(host->text);
    if (network.host == NULL)
        return rules_complain(&parse->reader, host->place,
                              "host must be the name or address of one host, without scheme, path "
                              "or wildcard");
    if (take_shadow(parse, call, &network) != 0 || take_narrowings(parse, call, &network) != 0 ||
        take_subdomains(parse, call, &network) != 0) {
        rules_network_clear(&network);
        return -1;
    }
    add_network(&parse->batch, &network);
    return 0;
}

/* ---- looking up ------------------------------------------------------------------------------ */

static struct rules_reach reach_of(const struct rules_network *network)
{
    return (struct rules_reach){.to = {.host = network->host,
                                       .protocol = network->protocol,
                                       .port = network->port,
                                       .project = network->project,
                                       .project_id = network->project_id},
                                .decision = network->decision,
                                .shadow = network->shadow,
                                .file = network->file,
                                .line = network->line};
}

bool rules_network_at(const struct rules *rules, size_t index, struct rules_reach *reach)
{
    size_t count;
    const struct rules_network *networks = rules_networks(rules, &count);
    if (index < count)
        *reach = reach_of(&networks[index]);
    return index < count;
}

static bool is_host(const char *pattern, const char *host)
{
    size_t length = strlen(host), suffix = strlen(pattern);
    if (*pattern != '.')
        return strcmp(pattern, host) == 0;
    return length > suffix && strcmp(host + length - suffix, pattern) == 0;
}

bool rules_reach_matches(const struct rules_reach *reach, const struct rules_connection *connection)
{
    const struct rules_connection *to = &reach->to;
    return is_host(to->host, connection->host) && strcmp(to->protocol, connection->protocol) == 0 &&
           rules_same_or_any(to->port, connection->port) &&
           rules_same_or_any(to->project, connection->project) &&
           rules_same_or_any(to->project_id, connection->project_id);
}

static bool find_strictest(const struct rules *rules, const struct rules_connection *connection,
                           bool shadow, struct rules_reach *strictest)
{
    struct rules_reach reach;
    bool found = false;
    for (size_t i = 0; rules_network_at(rules, i, &reach); i++) {
        if (reach.shadow != shadow || (found && reach.decision <= strictest->decision) ||
            !rules_reach_matches(&reach, connection))
            continue;
        *strictest = reach;
        found = true;
    }
    return found;
}

enum rule_decision rules_match_network(const struct rules *rules,
                                       const struct rules_connection *connection)
{
    struct rules_reach strictest;
    return find_strictest(rules, connection, false, &strictest) ? strictest.decision : RULE_NONE;
}

bool rules_match_network_shadow(const struct rules *rules,
                                const struct rules_connection *connection,
                                struct rules_reach *reach)
{
    return find_strictest(rules, connection, true, reach);
}
