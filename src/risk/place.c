/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/place.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/path.h"
#include "base/strbuf.h"
#include "risk/effects.h"
#include "risk/glob.h"

/* Patterns: * stands for any text. What begins with / is there, what begins with ~ in any home,
 * anything else anywhere. */
static const struct spot {
    enum place place;
    const char *pattern;
} spots[] = {
    {PLACE_NOWHERE, "/dev/null"},
    {PLACE_NOWHERE, "/dev/stdout"},
    {PLACE_NOWHERE, "/dev/stderr"},
    {PLACE_NOWHERE, "/dev/stdin"},
    {PLACE_NOWHERE, "/dev/tty"},
    {PLACE_NOWHERE, "/dev/zero"},
    {PLACE_NOWHERE, "/dev/full"},
    {PLACE_NOWHERE, "/dev/fd/*"},
    {PLACE_TEMPORARY, "/dev/shm/*"},
    {PLACE_TEMPORARY, "/tmp"},
    {PLACE_TEMPORARY, "/tmp/*"},
    {PLACE_TEMPORARY, "/var/tmp/*"},
    {PLACE_DEVICE, "/dev/*"},
    {PLACE_APPROVER, "*/.claude/*"},
    {PLACE_APPROVER, "*/.codex/*"},
    {PLACE_APPROVER, "*/.gemini/*"},
    {PLACE_APPROVER, "*/.cursor/*"},
    {PLACE_APPROVER, "*/.agents/*"},
    {PLACE_APPROVER, "*/.assent/*"},
    {PLACE_APPROVER, "*/.config/assent/*"},
    {PLACE_APPROVER, "*/.config/opencode/*"},
    {PLACE_APPROVER, "*/.mcp.json"},
    {PLACE_CODE, "*/.git/hooks/*"},
    {PLACE_CODE, "*/.git/config"},
    {PLACE_CODE, "*/.githooks/*"},
    {PLACE_CODE, "*/.husky/*"},
    {PLACE_CODE, "*/.envrc"},
    {PLACE_CODE, "*/.vscode/tasks.json"},
    {PLACE_CODE, "*/.vscode/settings.json"},
    {PLACE_STARTUP, "~/.bash*rc"},
    {PLACE_STARTUP, "~/.bash_profile"},
    {PLACE_STARTUP, "~/.bash_login"},
    {PLACE_STARTUP, "~/.bash_logout"},
    {PLACE_STARTUP, "~/.bash_aliases"},
    {PLACE_STARTUP, "~/.profile"},
    {PLACE_STARTUP, "~/.zsh*"},
    {PLACE_STARTUP, "~/.zprofile"},
    {PLACE_STARTUP, "~/.zlogin"},
    {PLACE_STARTUP, "~/.kshrc"},
    {PLACE_STARTUP, "~/.cshrc"},
    {PLACE_OBEYED, "~/.inputrc"},
    {PLACE_STARTUP, "~/.xinitrc"},
    {PLACE_STARTUP, "~/.xprofile"},
    {PLACE_STARTUP, "~/.pam_environment"},
    {PLACE_STARTUP, "~/.config/fish/*"},
    {PLACE_STARTUP, "~/.config/autostart/*"},
    {PLACE_STARTUP, "~/.config/systemd/*"},
    {PLACE_STARTUP, "~/.config/environment.d/*"},
    {PLACE_OBEYED, "~/.config/git/*"},
    {PLACE_OBEYED, "~/.config/pip/*"},
    {PLACE_OBEYED, "~/.config/nvim/*"},
    {PLACE_STARTUP, "~/.config/zsh/*"},
    {PLACE_OBEYED, "~/.config/emacs/*"},
    {PLACE_OBEYED, "~/.config/vim/*"},
    {PLACE_OBEYED, "~/.config/tmux/*"},
    {PLACE_STARTUP, "~/.config/sway/*"},
    {PLACE_STARTUP, "~/.config/i3/*"},
    {PLACE_STARTUP, "~/.config/hypr/*"},
    {PLACE_OBEYED, "~/.config/Code/User/*"},
    {PLACE_OBEYED, "~/.config/zed/*"},
    {PLACE_LOGIN, "~/.ssh/*"},
    {PLACE_LOGIN, "~/.ssh"},
    {PLACE_LOGIN, "~/.gnupg/*"},
    {PLACE_OBEYED, "~/.gitconfig"},
    {PLACE_OBEYED, "~/.npmrc"},
    {PLACE_OBEYED, "~/.yarnrc*"},
    {PLACE_LOGIN, "~/.pypirc"},
    {PLACE_OBEYED, "~/.pip/*"},
    {PLACE_OBEYED, "~/.cargo/config*"},
    {PLACE_OBEYED, "~/.m2/settings.xml"},
    {PLACE_OBEYED, "~/.gradle/*"},
    {PLACE_LOGIN, "~/.docker/*"},
    {PLACE_LOGIN, "~/.kube/*"},
    {PLACE_LOGIN, "~/.aws/*"},
    {PLACE_LOGIN, "~/.netrc"},
    {PLACE_OBEYED, "~/.vimrc"},
    {PLACE_OBEYED, "~/.emacs*"},
    {PLACE_OBEYED, "~/.tmux.conf"},
    {PLACE_PROGRAM, "~/.local/bin/*"},
    {PLACE_PROGRAM, "~/bin/*"},
    {PLACE_PROGRAM, "~/.cargo/bin/*"},
    {PLACE_PROGRAM, "~/go/bin/*"},
    {PLACE_STARTUP, "~/.local/share/systemd/*"},
    {PLACE_PROGRAM, "~/.local/lib/python*"},
    {PLACE_PROGRAM, "~/.nvm/*"},
    {PLACE_PROGRAM, "~/.pyenv/*"},
    {PLACE_PROGRAM, "~/.rbenv/*"},
    {PLACE_PROGRAM, "~/.asdf/*"},
    {PLACE_PROGRAM, "~/.sdkman/*"},
    {PLACE_PROGRAM, "~/.rustup/*"},
    {PLACE_PROGRAM, "~/.gem/*"},
    {PLACE_PROGRAM, "~/.node_modules/*"},
    {PLACE_PROGRAM, "~/node_modules/*"},
    {PLACE_OBEYED, "~/.ipython/*"},
    {PLACE_OBEYED, "~/.tmux/*"},
    {PLACE_OBEYED, "~/.vim/*"},
    {PLACE_STARTUP, "~/.oh-my-zsh/*"},
    {PLACE_PROGRAM, "~/.local/share/applications/*"},
    {PLACE_STARTUP, "~/Library/LaunchAgents/*"},
    {PLACE_LOG, "~/.*_history"},
    {PLACE_LOG, "/var/log/*"},
    {PLACE_LOG, "/var/log"},
    {PLACE_SYSTEM, "/"},
    {PLACE_SYSTEM, "/etc"},
    {PLACE_SYSTEM, "/etc/*"},
    {PLACE_SYSTEM, "/usr"},
    {PLACE_SYSTEM, "/usr/*"},
    {PLACE_SYSTEM, "/bin"},
    {PLACE_SYSTEM, "/bin/*"},
    {PLACE_SYSTEM, "/sbin/*"},
    {PLACE_SYSTEM, "/lib*"},
    {PLACE_SYSTEM, "/boot*"},
    {PLACE_SYSTEM, "/opt"},
    {PLACE_SYSTEM, "/opt/*"},
    {PLACE_SYSTEM, "/sys/*"},
    {PLACE_SYSTEM, "/proc/*"},
    {PLACE_SYSTEM, "/run/*"},
    {PLACE_SYSTEM, "/srv*"},
    {PLACE_SYSTEM, "/var"},
    {PLACE_SYSTEM, "/var/*"},
    {PLACE_SYSTEM, "/System/*"},
    {PLACE_SYSTEM, "/Library/*"},
    {PLACE_SYSTEM, "/Applications/*"},
};

/* Where secrets are kept; as above. */
static const char *const secrets[] = {
    "*/.ssh",
    "*/.ssh/*",
    "*/.aws",
    "*/.gnupg",
    "*/.password-store",
    "*/id_rsa",
    "*/id_ed25519",
    "*/id_ecdsa",
    "*/id_dsa",
    "/etc/shadow*",
    "/etc/gshadow*",
    "/etc/ssl/private/*",
    "/etc/ssh/ssh_host_*_key",
    "/etc/krb5.keytab",
    "/etc/security/opasswd",
    "/proc/*/environ",
    "/proc/*/mem",
    "/dev/mem",
    "/run/secrets/*",
    "/var/run/secrets/*",
    "*/.aws/credentials*",
    "*/.aws/config",
    "*/.aws/sso/*",
    "*/.azure/*",
    "*/.config/gcloud/*",
    "*/.config/gh/hosts.yml",
    "*/.config/hub",
    "*/.config/op/*",
    "*/.config/rclone/rclone.conf",
    "*/.config/doctl/config.yaml",
    "*/.kube/config*",
    "*/kubeconfig*",
    "*/.docker/config.json",
    "*/.netrc",
    "*/_netrc",
    "*/.git-credentials",
    "*/.pgpass",
    "*/.my.cnf",
    "*/.mylogin.cnf",
    "*/.npmrc",
    "*/.yarnrc.yml",
    "*/.pypirc",
    "*/.gem/credentials",
    "*/.cargo/credentials*",
    "*/.composer/auth.json",
    "*/.m2/settings*.xml",
    "*/.s3cfg",
    "*/.boto",
    "*/.vault-token",
    "*/.terraformrc",
    "*/.terraform.d/credentials*",
    "*/.htpasswd",
    "*/.gnupg/*",
    "*/.password-store/*",
    "*/.local/share/keyrings/*",
    "*/Library/Keychains/*",
    "*/.mozilla/*",
    "*/.config/google-chrome/*",
    "*/.config/chromium/*",
    "*/Cookies",
    "*/cookies.sqlite",
    "*/Login Data",
    "*/logins.json",
    "*/key4.db",
    "*/.*_history",
    "*/.claude/.credentials.json",
    "*/.codex/auth.json",
    "*/.gemini/oauth_creds.json",
    "*/.env",
    "*/.env.local",
    "*/.env.prod*",
    "*/.env.stag*",
    "*/.env.dev*",
    "*/.env.*.local",
    "*/prod.env",
    "*/production.env",
    "*/secrets.env",
    "*/credentials",
    "*/credentials.json",
    "*/credentials.y*ml",
    "*/client_secret*.json",
    "*/service-account*.json",
    "*/service_account*.json",
    "*/secrets.y*ml",
    "*/secrets.json",
    "*/secrets.toml",
    "*/secret.key",
    "*/master.key",
    "*/wallet.dat",
    "*/terraform.tfstate*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ppk",
    "*.ovpn",
};

static const char *const not_secret[] = {
    "*/.ssh/config",   "*/known_hosts", "*/authorized_keys", "*.pub",      "*.example",
    "*.sample",        "*.template",    "*.crt.pem",         "*/ca.pem",   "*/cert.pem",
    "*/fullchain.pem", "*.dist",        "*cacert.pem",       "*/chain.pem"};

/* The path as the patterns see it: `prefix` and `rest` put together. */
struct seen {
    char text[512];
};

/* Is it the home directory `home`, or in it? Stores how much of it that is. */
static bool is_in_home(const char *path, const char *home, size_t *length)
{
    size_t width = home != NULL && *home == '/' ? strlen(home) : 0;
    while (width > 0 && home[width - 1] == '/')
        width--;
    *length = width;
    return width > 0 && strncmp(path, home, width) == 0 &&
           (path[width] == '/' || path[width] == '\0');
}

static bool is_home(const char *path, size_t *length)
{
    static const char *const homes[] = {"/home/", "/Users/"};
    if (is_in_home(path, getenv("HOME"), length)) /* the operator's own, wherever that is */
        return true;
    if (*path == '~') {
        *length = strcspn(path, "/");
        return true;
    }
    if (path_is_beneath(path, "/root")) {
        *length = strlen("/root");
        return true;
    }
    for (size_t i = 0; i < COUNT(homes); i++) {
        size_t width = strlen(homes[i]);
        if (strncmp(path, homes[i], width) == 0 && path[width] != '\0') {
            *length = width + strcspn(path + width, "/");
            return true;
        }
    }
    *length = 0;
    return false;
}

/* ~ for any home directory, ./ in front of what is relative. */
static bool see(const char *path, struct seen *seen)
{
    size_t skip;
    const char *prefix = is_home(path, &skip) ? "~" : "";
    if (*path != '/' && skip == 0 && strncmp(path, "./", 2) != 0)
        prefix = "./";
    size_t width = strlen(prefix), length = strlen(path + skip);
    if (width + length >= sizeof(seen->text))
        return false;
    memcpy(seen->text, prefix, width);
    memcpy(seen->text + width, path + skip, length + 1);
    return true;
}

static bool fits(const char *pattern, const struct seen *seen)
{
    return effects_fits(pattern, strlen(pattern), seen->text);
}

/* How much is left of a path of `length` when its last name goes for a ".."; `length` when that
 * name is not known to be a directory's own: "..", "~", "$x". */
static size_t without_last(const char *path, size_t length)
{
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    bool above = length - start == 2 && strncmp(path + start, "..", 2) == 0;
    if (above || start == length || strchr("~$", path[start]) != NULL)
        return length;
    return start > 1 ? start - 1 : start;
}

char *place_straighten(const char *path)
{
    cleanup_strbuf struct strbuf out = STRBUF_INIT;
    strbuf_addstr(&out, *path == '/' ? "/" : "");
    for (const char *at = path + strspn(path, "/"); *at != '\0'; at += strspn(at, "/")) {
        size_t name = strcspn(at, "/");
        bool up = name == 2 && strncmp(at, "..", 2) == 0;
        size_t left = up ? without_last(strbuf_str(&out), out.length) : out.length;
        if (up && left < out.length)
            out.data[out.length = left] = '\0';
        else if (!(name == 1 && *at == '.'))
            strbuf_addf(&out, "%s%.*s",
                        out.length > 0 && out.data[out.length - 1] != '/' ? "/" : "", (int)name,
                        at);
        at += name;
        if (*at == '/' && at[strspn(at, "/")] == '\0' && out.length > 0)
            strbuf_addstr(&out, out.data[out.length - 1] == '/' ? "" : "/"); /* a directory */
    }
    if (out.length > 0)
        return strbuf_steal(&out);
    return xstrdup(strstr(path, "..") != NULL ? "." : path);
}

/* The same in small letters, as the patterns of what agents obey are: some file systems do not tell
 * .CURSOR from .cursor. */
static struct seen fold(const struct seen *seen)
{
    struct seen folded;
    size_t i = 0;
    for (; seen->text[i] != '\0'; i++)
        folded.text[i] = (char)tolower((unsigned char)seen->text[i]);
    folded.text[i] = '\0';
    return folded;
}

/* "../x" from there, which is a directory's own path; else the path as it is. Caller frees. */
static char *from_above(const char *path, const char *cwd)
{
    cleanup_free char *base = xstrdup(cwd != NULL ? cwd : "");
    const char *rest = path;
    while (strncmp(rest, "../", 3) == 0 && strrchr(base, '/') != NULL) {
        *strrchr(base, '/') = '\0';
        rest += 3;
    }
    return rest == path ? xstrdup(path) : xasprintf("%s/%s", base, rest);
}

static bool is_inside(const char *path, const char *cwd, const char *const *roots)
{
    cleanup_free char *named = from_above(path, cwd);
    if (*named == '~' || *named == '$' || strstr(named, "..") != NULL)
        return false;
    if (*named != '/')
        return true;
    if (cwd != NULL && path_is_beneath(named, cwd))
        return true;
    for (; roots != NULL && *roots != NULL; roots++)
        if (path_is_beneath(named, *roots))
            return true;
    return false;
}

/* Both as they are written, with ~ for a home directory. */
static bool holds(const char *root, const struct seen *path)
{
    struct seen seen;
    return root != NULL && see(root, &seen) && path_is_beneath(path->text, seen.text);
}

bool place_is_beyond(const char *path, const char *cwd, const char *const *roots)
{
    cleanup_free char *named = from_above(path, cwd);
    size_t skip;
    /* Where HOME does not say what "~" is, the directory may be in it, though it is none of those
     * that are known for homes. */
    const char *own = getenv("HOME");
    bool home = *named == '~' && (named[1] == '/' || named[1] == '\0') && cwd != NULL &&
                ((own != NULL && *own == '/') || is_home(cwd, &skip));
    struct seen seen;
    if ((*named != '/' && !home) || strchr(named, '$') != NULL || strstr(named, "..") != NULL ||
        !see(named, &seen) || holds(cwd, &seen))
        return false;
    for (; roots != NULL && *roots != NULL; roots++)
        if (holds(*roots, &seen))
            return false;
    return true;
}

/* A pattern stands for what the shell may make of it: the worst that one of these patterns knows. A
 * name that begins with a dot takes one that is written, and of what is anywhere all do. */
static enum place place_of_glob(const struct seen *seen, const struct seen *folded, bool inside,
                                enum place otherwise)
{
    bool dotted = strstr(seen->text, "/.") != NULL;
    for (size_t i = 0; i < COUNT(spots); i++) {
        const struct spot *spot = &spots[i];
        bool anywhere = *spot->pattern == '*';
        bool obeyed = spot->place == PLACE_APPROVER || spot->place == PLACE_CODE;
        bool other = *spot->pattern != '*' && *spot->pattern != *seen->text; /* ~ and / */
        if (spot->place >= PLACE_CODE && (anywhere ? dotted : !inside && !other) &&
            glob_meets(spot->pattern, obeyed ? folded->text : seen->text))
            return spot->place;
    }
    return otherwise;
}

static enum place place_of_one(const char *path, const char *cwd, const char *const *roots)
{
    cleanup_free char *straight = place_straighten(path);
    cleanup_free char *named = from_above(straight, cwd);
    struct seen seen;
    if (!see(named, &seen))
        return PLACE_OUTSIDE;
    bool inside = is_inside(path, cwd, roots);
    const struct seen folded = fold(&seen);
    for (size_t i = 0; i < COUNT(spots); i++) {
        bool anywhere = *spots[i].pattern == '*';
        bool obeyed = spots[i].place == PLACE_APPROVER || spots[i].place == PLACE_CODE;
        if ((!inside || anywhere) && fits(spots[i].pattern, obeyed ? &folded : &seen))
            return spots[i].place;
    }
    enum place place = inside ? PLACE_WORKSPACE : PLACE_OUTSIDE;
    return glob_expands(seen.text) ? place_of_glob(&seen, &folded, inside, place) : place;
}

struct worst {
    const char *cwd;
    const char *const *roots;
    enum place place;
};

static void add_place(void *argument, const char *path)
{
    struct worst *worst = argument;
    enum place place = place_of_one(path, worst->cwd, worst->roots);
    worst->place = place > worst->place ? place : worst->place;
}

/* Nobody writes more into one word, and whoever does is not looked after. */
#define WORDS_MAX 32

/* Names in the working directory, none of which begins with a dot. */
static bool is_harmless(const char *path)
{
    if (strchr("/~$", *path) != NULL)
        return false;
    for (const char *dot = strchr(path, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
        if (dot == path || strchr("/{,", dot[-1]) != NULL)
            return false;
    return true;
}

enum place place_of(const char *path, const char *cwd, const char *const *roots)
{
    struct worst worst = {cwd, roots, PLACE_NOWHERE};
    unsigned left = WORDS_MAX;
    if (strchr(path, '{') == NULL || is_harmless(path))
        return place_of_one(path, cwd, roots);
    bool all = strlen(path) < sizeof(struct seen) && glob_each(path, &left, add_place, &worst);
    return all ? worst.place : PLACE_SYSTEM;
}

/* Of the machine's own these are files of what it serves and keeps. */
static bool is_data(const char *path)
{
    static const char *const places[] = {"/srv", "/var/www"};
    for (size_t i = 0; i < COUNT(places); i++)
        if (strcmp(path, places[i]) != 0 && path_is_beneath(path, places[i]))
            return true;
    return false;
}

static bool is_grave(const char *path)
{
    enum place place = place_of(path, NULL, NULL);
    return place >= PLACE_CODE && !(place == PLACE_SYSTEM && is_data(path));
}

/* Does it hold what such a pattern stands for? */
static bool leads_to(const struct seen *seen, const char *pattern)
{
    size_t length = strlen(seen->text);
    return strncmp(pattern, seen->text, length) == 0 && pattern[length] == '/';
}

bool place_is_grave(const char *path, const char *home)
{
    size_t length;
    bool own = is_in_home(path, home, &length);
    cleanup_free char *named = own ? xasprintf("~%s", path + length) : xstrdup(path);
    cleanup_free char *as_directory = xasprintf("%s/", named);
    struct seen seen;
    if (!see(named, &seen) || place_is_home_or_root(named) || is_grave(named) ||
        is_grave(as_directory))
        return true;
    for (size_t i = 0; i < COUNT(spots); i++)
        if (spots[i].place >= PLACE_CODE && leads_to(&seen, spots[i].pattern))
            return true;
    return false;
}

/* How much of `name` is written: the rest is what a shell fills in. */
static size_t written(const char *name)
{
    size_t length = strlen(name), start = strcspn(name, "*?["), end = length;
    while (end > start && strchr("*?[]", name[end - 1]) == NULL)
        end--;
    return start + (length - end);
}

/* The last directory above `name`, which is in `path`. Caller frees. */
static char *directory_above(const char *path, const char *name)
{
    const char *start = name;
    while (start > path && start[-1] != '/')
        start--;
    return xstrndup(start, (size_t)(name - start));
}

/* May the word, which a shell expands, stand for what that pattern knows? Most is to be written of
 * a name that is secret anywhere, and else of the directory: any name in `src` is everyday. */
static bool may_become(const char *pattern, const struct seen *seen)
{
    const char *name = strrchr(seen->text, '/');
    if (name == NULL || (*pattern == '*' && pattern[1] != '/'))
        return false;
    if (*pattern == '*' && strchr(pattern + 2, '/') == NULL)
        return 2 * written(name + 1) > strlen(pattern + 2) && glob_meets(pattern, seen->text);
    cleanup_free char *above = directory_above(seen->text, name);
    return (*pattern != '*' || 2 * written(above) > strlen(above)) &&
           glob_meets(pattern, seen->text);
}

bool place_is_secret(const char *path)
{
    cleanup_free char *straight = place_straighten(path);
    struct seen seen;
    if (!see(straight, &seen))
        return false;
    bool found = false;
    for (size_t i = 0; glob_expands(seen.text) && i < COUNT(secrets) && !found; i++)
        found = may_become(secrets[i], &seen);
    /* A pattern stands for the shortest name that it fits, too: id_rsa*. */
    for (size_t end = strlen(seen.text); end > 0 && seen.text[end - 1] == '*'; end--)
        seen.text[end - 1] = '\0';
    for (size_t i = 0; i < COUNT(secrets) && !found; i++)
        found = fits(secrets[i], &seen);
    for (size_t i = 0; i < COUNT(not_secret) && found; i++)
        found = !fits(not_secret[i], &seen);
    return found;
}

/* PASSCOMMAND, credential_process: what is run to get a secret is none, and must be seen. */
static bool names_command(const char *upper, size_t length)
{
    static const char *const ends[] = {"COMMAND", "CMD", "PROCESS", "HELPER"};
    for (size_t i = 0; i < COUNT(ends); i++) {
        size_t width = strlen(ends[i]);
        if (length >= width && strcmp(upper + length - width, ends[i]) == 0)
            return true;
    }
    return false;
}

bool place_is_secret_name(const char *name, size_t length)
{
    static const char *const parts[] = {"TOKEN",         "SECRET",  "PASSWORD",    "PASSWD",
                                        "APIKEY",        "API_KEY", "PRIVATE_KEY", "CREDENTIAL",
                                        "ACCESS_KEY",    "_PASS",   "_PWD",        "AUTH_KEY",
                                        "ENCRYPTION_KEY"};
    char upper[128];
    if (length >= sizeof(upper))
        return false;
    for (size_t i = 0; i < length; i++)
        upper[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    upper[length] = '\0';
    if (names_command(upper, length))
        return false;
    for (size_t i = 0; i < COUNT(parts); i++)
        if (strstr(upper, parts[i]) != NULL)
            return true;
    return false;
}

bool place_is_home_or_root(const char *path)
{
    size_t length;
    if (strcmp(path, "/") == 0 || strcmp(path, "/home") == 0 || strcmp(path, "/home/") == 0 ||
        strcmp(path, "/*") == 0)
        return true;
    if (!is_home(path, &length))
        return false;
    return path[length] == '\0' || strcmp(path + length, "/") == 0 ||
           strcmp(path + length, "/*") == 0;
}

bool place_is_this_machine(const char *address)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]", "::1", "0.0.0.0"};
    const char *host = strstr(address, "://");
    host = host != NULL ? host + 3 : address;
    size_t authority = strcspn(host, "/?#");
    const char *user = memchr(host, '@', authority);
    if (user != NULL)
        host = user + 1;
    if (host[0] == ':' && host[1] >= '0' && host[1] <= '9') /* http :8080/x */
        return true;
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 &&
            (host[length] == '\0' || strchr(":/?#", host[length]) != NULL))
            return true;
    }
    return false;
}
