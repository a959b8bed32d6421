/* SPDX-License-Identifier: MIT */
/* rules_place: read_rule, directories beside the workspace that may be read unasked. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/array.h"
#include "command/rules_parse-int.h"

enum { PATH, PROJECT, ID };
static const struct rules_parameter parameters[] = {
    [PATH] = {"path", true}, [PROJECT] = {"project", false}, [ID] = {"project_id", false}};

static int take(const struct rules_parse *parse, const struct rules_call *call, size_t index,
                char **place)
{
    const struct rules_value *value = rules_parse_argument(call, parameters, index);
    const char *text = NULL;
    if (rules_parse_string(parse, value, parameters[index].name, &text) != 0)
        return -1;
    *place = rules_parse_copy(text);
    if (index != ID && text != NULL && *text != '/')
        return rules_complain(&parse->reader, value->place, "%s must be an absolute path",
                              parameters[index].name);
    return 0;
}

int rules_parse_place(struct rules_parse *parse, struct rules_call *call)
{
    struct rules_batch *batch = &parse->batch;
    struct rules_directory directory = {.path = NULL};
    if (rules_parse_check(parse, call, parameters, COUNT(parameters)) != 0)
        return -1;
    const struct rules_value *path = rules_parse_argument(call, parameters, PATH);
    int result = take(parse, call, PATH, &directory.path);
    if (result == 0)
        result = take(parse, call, PROJECT, &directory.project);
    if (result == 0)
        result = take(parse, call, ID, &directory.project_id);
    if (result == 0 && directory.path == NULL)
        result = rules_parse_wrong_type(parse, path, "path", "a string");
    if (result == 0 && directory.path[strspn(directory.path, "/")] == '\0')
        result = rules_complain(&parse->reader, path->place, "path must not be the whole system");
    if (result != 0) {
        rules_directory_clear(&directory);
        return -1;
    }
    batch->directories =
        xreallocarray(batch->directories, batch->directory_count + 1, sizeof(*batch->directories));
    batch->directories[batch->directory_count++] = directory;
    return 0;
}

void rules_directory_clear(struct rules_directory *directory)
{
    free(directory->path);
    free(directory->project);
    free(directory->project_id);
}

static bool fits(const char *wanted, const char *given)
{
    return wanted == NULL || (given != NULL && strcmp(wanted, given) == 0);
}

void rules_add_places(const struct rules *rules, const char *project, const char *project_id,
                      char ***list)
{
    size_t count = strv_length((const char *const *)*list), all;
    const struct rules_directory *directories = rules_directories(rules, &all);
    for (size_t i = 0; i < all; i++) {
        if (!fits(directories[i].project, project) || !fits(directories[i].project_id, project_id))
            continue;
        *list = xreallocarray(*list, count + 2, sizeof(**list));
        (*list)[count++] = xstrdup(directories[i].path);
        (*list)[count] = NULL;
    }
}

const char *rules_place_at(const struct rules *rules, size_t index, const char **project)
{
    size_t count;
    const struct rules_directory *directories = rules_directories(rules, &count);
    if (index >= count)
        return NULL;
    *project = directories[index].project;
    return directories[index].path;
}
