/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "config/config_file.h"

#include <confuse.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/fd.h"
#include "config/option_value.h"
#include "config/paths.h"

enum { FILE_LIMIT = 1 << 20 };

/* libConfuse gives its callbacks no argument of ours: the reader rides along as the value of an
 * option whose name nobody can want. */
#define READER_NAME "\001reader"

/* What a list holds that the file does not mention: `key = {}` is something else. */
#define UNSET "\002unset"

/* Where the n-th value of an option stands. */
struct position {
    const cfg_opt_t *option;
    unsigned count;
    int line;
};

struct reader {
    const char *path;
    struct strbuf mistakes; /* a line each */
    struct position *positions;
    size_t position_count;
    cfg_opt_t *arrays[16]; /* option arrays made for libConfuse, freed at the end */
    size_t array_count;
};

static struct reader *reader_of(cfg_t *section)
{
    for (cfg_opt_t *option = section->opts; option->name; option++)
        if (strcmp(option->name, READER_NAME) == 0)
            return (struct reader *)(void *)option->simple_value.ptr;
    return NULL;
}

static void add_mistake(struct reader *reader, int line, const char *message)
{
    strbuf_addf(&reader->mistakes, "%s%s:%d: %s", reader->mistakes.length ? "\n" : "", reader->path,
                line, message);
}

static void on_error(cfg_t *section, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void on_error(cfg_t *section, const char *format, va_list arguments)
{
    struct reader *reader = reader_of(section);
    cleanup_free char *message = xvasprintf(format, arguments);
    if (reader)
        add_mistake(reader, section->line, message);
}

/* The key of an option in a section: "reject" + "rules" is "reject.rules"; a profile's title and
 * the top level add nothing. */
static int find_key(const char *section, const char *name)
{
    cleanup_free char *key = *section ? xasprintf("%s.%s", section, name) : xstrdup(name);
    return option_find_key(key);
}

static const char *section_name(cfg_t *section)
{
    const char *name = cfg_name(section);
    return strcmp(name, "root") == 0 || strcmp(name, "profile") == 0 ? "" : name;
}

/* After each value, and once more at the end of a list: remembers the line. */
static int on_value(cfg_t *section, cfg_opt_t *option)
{
    struct reader *reader = reader_of(section);
    unsigned count = cfg_opt_size(option);
    if (!reader || count == 0)
        return 0;
    const struct position *last =
        reader->position_count ? &reader->positions[reader->position_count - 1] : NULL;
    if (last && last->option == option && last->count == count && (option->flags & CFGF_LIST))
        return 0;
    reader->positions =
        xreallocarray(reader->positions, reader->position_count + 1, sizeof(struct position));
    reader->positions[reader->position_count++] = (struct position){option, count, section->line};
    return 0;
}

static int line_of(const struct reader *reader, const cfg_opt_t *option, unsigned count)
{
    for (size_t i = reader->position_count; i > 0; i--) {
        const struct position *position = &reader->positions[i - 1];
        if (position->option == option && position->count == count)
            return position->line;
    }
    return 0;
}

static cfg_opt_t *new_array(struct reader *reader)
{
    cfg_opt_t *array = xcalloc(OPTION_KEY_COUNT + 3, sizeof(cfg_opt_t));
    reader->arrays[reader->array_count++] = array;
    return array;
}

static void add_reader(cfg_opt_t *option, struct reader *reader)
{
    option->name = READER_NAME;
    option->type = CFGT_PTR;
    option->flags = CFGF_NODEFAULT;
    option->simple_value.ptr = (void **)(void *)reader;
}

/* Every value is read as a string: one parser (option_value) serves file and command line. */
static void add_value(cfg_opt_t *option, const char *name, const struct option_spec *spec)
{
    option->name = name;
    option->type = CFGT_STR;
    bool list = option_is_list(spec) && !spec->titled;
    option->flags = list ? CFGF_LIST : CFGF_NODEFAULT;
    if (list)
        option->def.parsed = (char *)"{\"" UNSET "\"}";
    option->validcb = on_value;
}

static void add_section(cfg_opt_t *option, const char *name, cfg_opt_t *content, int flags)
{
    option->name = name;
    option->type = CFGT_SEC;
    option->flags = CFGF_NODEFAULT | flags;
    option->subopts = content;
}

static const struct {
    const char *name;
    const char *prefix;
    int flags;
} sections[] = {
    {"assessment", "assessment.", 0},
    {"reject", "reject.", 0},
    {"client", "client.", CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES},
};

/* The keys of one section; those of the top level when `prefix` is "". */
static size_t add_keys(cfg_opt_t *array, const char *prefix)
{
    size_t count = 0;
    for (int i = 0; i < OPTION_KEY_COUNT; i++) {
        const char *key = option_spec(i)->key;
        size_t length = strlen(prefix);
        if (strncmp(key, prefix, length) == 0 && !strchr(key + length, '.'))
            add_value(&array[count++], key + length, option_spec(i));
    }
    return count;
}

/* Everything that may stand at the top or in a profile. */
static cfg_opt_t *build_level(struct reader *reader, cfg_opt_t *profile)
{
    cfg_opt_t *level = new_array(reader);
    size_t count = add_keys(level, "");
    for (size_t i = 0; i < COUNT(sections); i++) {
        cfg_opt_t *content = new_array(reader);
        add_reader(&content[add_keys(content, sections[i].prefix)], reader);
        add_section(&level[count++], sections[i].name, content, sections[i].flags);
    }
    if (profile)
        add_section(&level[count++], "profile", profile,
                    CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
    add_reader(&level[count], reader);
    return level;
}

/* Where values go; without options they are only checked. */
struct apply {
    struct reader *reader;
    struct options *options;
    enum option_origin origin;
};

static void check_value(const struct apply *apply, enum option_id id, const char *text, int line)
{
    struct option_value value = {0};
    struct error error = ERROR_INIT;
    if (option_value_parse(option_spec(id), text, &value, &error) < 0)
        add_mistake(apply->reader, line, error.message);
    option_value_clear(&value);
}

/* A value in a section with a title is one of a few words, and belongs to that title. */
static char *titled_value(const struct apply *apply, enum option_id id, const char *title,
                          const char *text, int line)
{
    const char *const *choice = option_spec(id)->choices;
    while (*choice != NULL && strcmp(*choice, text) != 0)
        choice++;
    cleanup_free char *message =
        xasprintf("%s: expected one of %s, %s", option_spec(id)->key, option_spec(id)->choices[0],
                  option_spec(id)->choices[1]);
    if (*choice == NULL)
        add_mistake(apply->reader, line, message);
    return xasprintf("%s=%s", title, text);
}

static void apply_titled(const struct apply *apply, enum option_id id, const char *title,
                         cfg_opt_t *option)
{
    struct option_source source = {apply->origin, apply->reader->path,
                                   line_of(apply->reader, option, 1)};
    if (cfg_opt_size(option) == 0)
        return;
    cleanup_free char *text =
        titled_value(apply, id, title, cfg_opt_getnstr(option, 0), source.line);
    if (apply->options)
        options_set(apply->options, id, text, &source, NULL);
}

static void apply_option(const struct apply *apply, enum option_id id, cfg_opt_t *option)
{
    unsigned count = cfg_opt_size(option);
    struct option_source source = {apply->origin, apply->reader->path, 0};
    if (count == 0 && (option->flags & CFGF_LIST) && apply->options)
        options_set_empty(apply->options, id, &source);
    for (unsigned i = 0; i < count; i++) {
        const char *text = cfg_opt_getnstr(option, i);
        source.line = line_of(apply->reader, option, i + 1);
        if (strcmp(text, UNSET) == 0)
            continue;
        if (apply->options)
            options_set(apply->options, id, text, &source, NULL);
        else
            check_value(apply, id, text, source.line);
    }
}

/* Profiles are passed over when values are applied, and looked into when they are checked. */
static void apply_section(const struct apply *apply, cfg_t *section)
{
    for (cfg_opt_t *option = section->opts; option->name; option++) {
        int id = find_key(section_name(section), option->name);
        if (id >= 0 && option_spec(id)->titled)
            apply_titled(apply, (enum option_id)id, cfg_title(section), option);
        else if (id >= 0)
            apply_option(apply, (enum option_id)id, option);
        else if (option->type == CFGT_SEC &&
                 (!apply->options || strcmp(option->name, "profile") != 0))
            for (unsigned i = 0; i < cfg_opt_size(option); i++)
                apply_section(apply, cfg_opt_getnsec(option, i));
    }
}

static int no_profile(const struct reader *reader, cfg_t *root, const char *name,
                      struct error *error)
{
    cleanup_strbuf struct strbuf known = STRBUF_INIT;
    for (unsigned i = 0; i < cfg_size(root, "profile"); i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", cfg_title(cfg_getnsec(root, "profile", i)));
    return error_set(error, ENOENT, "%s has no profile \"%s\" (it has: %s)", reader->path, name,
                     known.length ? strbuf_str(&known) : "none");
}

static int apply_all(struct reader *reader, cfg_t *root, struct options *options,
                     struct error *error)
{
    const char *name = options_string(options, OPTION_PROFILE);
    struct apply top = {reader, options, ORIGIN_FILE};
    apply_section(&top, root);
    if (!*name)
        return 0;
    cfg_t *profile = cfg_gettsec(root, "profile", name);
    if (!profile)
        return no_profile(reader, root, name, error);
    struct apply chosen = {reader, options, ORIGIN_PROFILE};
    apply_section(&chosen, profile);
    return 0;
}

/* Replaces # comments by spaces: libConfuse 3.3 miscounts the lines behind them. Quotes are as it
 * reads them, with backslashes in both kinds. Returns the line of the last brace that was opened
 * at the top and is never closed, which libConfuse lets pass, else 0. */
static int blank_comments(char *text)
{
    char quote = '\0';
    int depth = 0;
    int line = 1;
    int opened = 0;
    for (char *at = text; *at; at++) {
        if (quote && *at == '\\' && at[1]) {
            at++;
        } else if (quote) {
            quote = *at == quote ? '\0' : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == '#') {
            size_t length = strcspn(at, "\n");
            memset(at, ' ', length);
            at += length - 1;
        } else if (*at == '{') {
            opened = depth++ == 0 ? line : opened;
        } else if (*at == '}') {
            depth--;
        }
        line += *at == '\n';
    }
    return depth > 0 ? opened : 0;
}

static int parse(struct reader *reader, char *text, struct options *options, struct error *error)
{
    cfg_opt_t *profile = build_level(reader, NULL);
    cfg_t *root = cfg_init(build_level(reader, profile), CFGF_NONE);
    if (!root)
        return error_errno(error, ENOMEM, "cannot read %s", reader->path);
    cfg_set_error_function(root, on_error);
    int unclosed = blank_comments(text);
    if (unclosed)
        add_mistake(reader, unclosed, "this { has no }");
    int result = cfg_parse_buf(root, text);
    struct apply check = {reader, NULL, ORIGIN_FILE};
    if (result == CFG_SUCCESS)
        apply_section(&check, root);
    else if (reader->mistakes.length == 0)
        add_mistake(reader, root->line, "this is not understood");
    if (reader->mistakes.length > 0)
        result = error_set(error, EINVAL, "%s", strbuf_str(&reader->mistakes));
    else
        result = apply_all(reader, root, options, error);
    cfg_free(root);
    return result;
}

static int check_trust(const char *path, const struct stat *status, struct error *error)
{
    if (!S_ISREG(status->st_mode))
        return error_set(error, EINVAL, "%s is not a regular file", path);
    if ((status->st_uid != geteuid() && status->st_uid != 0) || (status->st_mode & 022))
        return error_set(error, EPERM,
                         "%s must belong to you and be writable by nobody else (chmod go-w %s)",
                         path, path);
    if (status->st_size > FILE_LIMIT)
        return error_set(error, EFBIG, "%s is larger than %d bytes", path, FILE_LIMIT);
    return 0;
}

/* The file as a string; NULL with a message, `error->number` ENOENT when it is missing. */
static char *read_trusted(const char *path, struct error *error)
{
    cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
        error_errno(error, errno, "cannot read %s", path);
        return NULL;
    }
    if (check_trust(path, &status, error) < 0)
        return NULL;
    cleanup_free char *text = xmalloc((size_t)status.st_size + 1);
    ssize_t length = read(fd, text, (size_t)status.st_size);
    if (length < 0) {
        error_errno(error, errno, "cannot read %s", path);
        return NULL;
    }
    text[length] = '\0';
    if (strlen(text) != (size_t)length) {
        error_set(error, EINVAL, "%s holds a NUL byte", path);
        return NULL;
    }
    return steal_pointer(&text);
}

static char *choose_path(const struct options *options)
{
    const char *given = options_string(options, OPTION_CONFIG_FILE);
    if (*given)
        return xstrdup(given);
    cleanup_free char *directory = paths_config_directory();
    return xasprintf("%s/assent.conf", directory);
}

int config_file_load(struct options *options, struct error *error)
{
    struct error reading = ERROR_INIT;
    cleanup_free char *path = choose_path(options);
    cleanup_free char *text = read_trusted(path, &reading);
    bool asked_for = *options_string(options, OPTION_CONFIG_FILE) != '\0';
    bool missing = !text && reading.number == ENOENT && !asked_for;
    if (missing && *options_string(options, OPTION_PROFILE))
        return error_set(error, ENOENT, "there is no profile \"%s\": %s does not exist",
                         options_string(options, OPTION_PROFILE), path);
    if (missing)
        return 0;
    if (!text)
        return error_set(error, reading.number, "%s", reading.message);
    struct reader reader = {.path = path, .mistakes = STRBUF_INIT};
    int result = parse(&reader, text, options, error);
    for (size_t i = 0; i < reader.array_count; i++)
        free(reader.arrays[i]);
    free(reader.positions);
    strbuf_free(&reader.mistakes);
    return result;
}
