/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "risk/effects.h"

#include <string.h>

#include "base/i18n.h"
#include "command/wrapper.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define DEL RISK_DATA_DELETION
#define EXF RISK_DATA_EXFILTRATION
#define PRV RISK_PRIVILEGE_ESCALATION
#define SYS RISK_SYSTEM_MODIFICATION
#define NET RISK_NETWORK_ACCESS
#define RES RISK_RESOURCE_EXHAUSTION
#define CMP RISK_COMPLIANCE

#define LOW RISK_LOW
#define MEDIUM RISK_MEDIUM
#define HIGH RISK_HIGH

#define READS N_("reads or prints without changing anything")
#define DELETES N_("deletes files")
#define OVERWRITES N_("throws away work that cannot be brought back")
#define BUILDS N_("runs code that the project defines")
#define INSTALLS N_("downloads and installs packages")
#define INSTALLS_SYSTEM N_("changes what is installed on the machine")
#define FETCHES N_("fetches from the network")
#define SENDS N_("sends data to another machine")
#define EDITS N_("creates or changes files")
#define RUNS_CODE N_("runs code that is not shown")
#define PUBLISHES N_("publishes something that others will use")
#define REMOTE N_("changes something that others use")
#define SERVICE N_("changes how the machine runs")

#define ANY EFFECT_ANYWHERE
#define WRITES EFFECT_WRITES_OPERANDS
#define READER EFFECT_READS_OPERANDS
#define CONNECTS EFFECT_CONNECTS

static const struct effect effects[] = {
    /* reading */
    {"awk", NULL, NULL, LOW, 0, READER, READS},
    {"base64", NULL, NULL, LOW, 0, READER, READS},
    {"basename", NULL, NULL, LOW, 0, ANY, READS},
    {"bat", NULL, NULL, LOW, 0, READER, READS},
    {"bc", NULL, NULL, LOW, 0, ANY, READS},
    {"cat", NULL, NULL, LOW, 0, READER, READS},
    {"cd", NULL, NULL, LOW, 0, ANY, READS},
    {"cmp", NULL, NULL, LOW, 0, READER, READS},
    {"column", NULL, NULL, LOW, 0, READER, READS},
    {"comm", NULL, NULL, LOW, 0, READER, READS},
    {"cut", NULL, NULL, LOW, 0, READER, READS},
    {"date", NULL, NULL, LOW, 0, ANY, READS},
    {"date", NULL, "-s --set", HIGH, SYS, ANY, SERVICE},
    {"df", NULL, NULL, LOW, 0, ANY, READS},
    {"diff", NULL, NULL, LOW, 0, READER, READS},
    {"dirname", NULL, NULL, LOW, 0, ANY, READS},
    {"du", NULL, NULL, LOW, 0, ANY, READS},
    {"echo", NULL, NULL, LOW, 0, ANY, READS},
    {"egrep", NULL, NULL, LOW, 0, READER, READS},
    {"exit", NULL, NULL, LOW, 0, ANY, READS},
    {"false", NULL, NULL, LOW, 0, ANY, READS},
    {"fd", NULL, NULL, LOW, 0, ANY, READS},
    {"fd", NULL, "-x -X --exec --exec-batch", HIGH, 0, ANY, RUNS_CODE},
    {"file", NULL, NULL, LOW, 0, ANY, READS},
    {"find", NULL, NULL, LOW, 0, ANY, READS},
    {"find", NULL, "-delete", HIGH, DEL, ANY, DELETES},
    {"find", NULL, "-fprint -fprintf -fls", MEDIUM, 0, ANY, EDITS},
    {"free", NULL, NULL, LOW, 0, ANY, READS},
    {"grep", NULL, NULL, LOW, 0, READER, READS},
    {"groups", NULL, NULL, LOW, 0, ANY, READS},
    {"head", NULL, NULL, LOW, 0, READER, READS},
    {"hexdump", NULL, NULL, LOW, 0, READER, READS},
    {"hostname", NULL, NULL, LOW, 0, ANY, READS},
    {"id", NULL, NULL, LOW, 0, ANY, READS},
    {"jq", NULL, NULL, LOW, 0, READER, READS},
    {"less", NULL, NULL, LOW, 0, READER, READS},
    {"ls", NULL, NULL, LOW, 0, ANY, READS},
    {"lscpu", NULL, NULL, LOW, 0, ANY, READS},
    {"lsof", NULL, NULL, LOW, 0, ANY, READS},
    {"man", NULL, NULL, LOW, 0, ANY, READS},
    {"md5sum", NULL, NULL, LOW, 0, ANY, READS},
    {"more", NULL, NULL, LOW, 0, READER, READS},
    {"nl", NULL, NULL, LOW, 0, READER, READS},
    {"nproc", NULL, NULL, LOW, 0, ANY, READS},
    {"od", NULL, NULL, LOW, 0, READER, READS},
    {"pgrep", NULL, NULL, LOW, 0, ANY, READS},
    {"printf", NULL, NULL, LOW, 0, ANY, READS},
    {"ps", NULL, NULL, LOW, 0, ANY, READS},
    {"pwd", NULL, NULL, LOW, 0, ANY, READS},
    {"readlink", NULL, NULL, LOW, 0, ANY, READS},
    {"realpath", NULL, NULL, LOW, 0, ANY, READS},
    {"rg", NULL, NULL, LOW, 0, READER, READS},
    {"rg", NULL, "--pre --hostname-bin", HIGH, 0, ANY, RUNS_CODE},
    {"seq", NULL, NULL, LOW, 0, ANY, READS},
    {"sha256sum", NULL, NULL, LOW, 0, ANY, READS},
    {"sleep", NULL, NULL, LOW, 0, ANY, READS},
    {"sort", NULL, NULL, LOW, 0, READER, READS},
    {"sort", NULL, "-o --output", MEDIUM, 0, WRITES, EDITS},
    {"sort", NULL, "--compress-program", HIGH, 0, ANY, RUNS_CODE},
    {"ss", NULL, NULL, LOW, 0, ANY, READS},
    {"stat", NULL, NULL, LOW, 0, ANY, READS},
    {"strings", NULL, NULL, LOW, 0, READER, READS},
    {"tac", NULL, NULL, LOW, 0, READER, READS},
    {"tail", NULL, NULL, LOW, 0, READER, READS},
    {"test", NULL, NULL, LOW, 0, ANY, READS},
    {"[", NULL, NULL, LOW, 0, ANY, READS},
    {"[[", NULL, NULL, LOW, 0, ANY, READS},
    {"tr", NULL, NULL, LOW, 0, ANY, READS},
    {"tree", NULL, NULL, LOW, 0, ANY, READS},
    {"true", NULL, NULL, LOW, 0, ANY, READS},
    {"tty", NULL, NULL, LOW, 0, ANY, READS},
    {"type", NULL, NULL, LOW, 0, ANY, READS},
    {"uname", NULL, NULL, LOW, 0, ANY, READS},
    {"uniq", NULL, NULL, LOW, 0, READER, READS},
    {"uptime", NULL, NULL, LOW, 0, ANY, READS},
    {"wc", NULL, NULL, LOW, 0, ANY, READS},
    {"whereis", NULL, NULL, LOW, 0, ANY, READS},
    {"which", NULL, NULL, LOW, 0, ANY, READS},
    {"whoami", NULL, NULL, LOW, 0, ANY, READS},
    {"xxd", NULL, NULL, LOW, 0, READER, READS},
    {"env", NULL, NULL, MEDIUM, EXF, ANY, N_("prints the whole environment, secrets included")},
    {"printenv", NULL, NULL, MEDIUM, EXF, ANY, N_("prints the environment, secrets included")},
    {"set", NULL, NULL, LOW, 0, ANY, READS},

    /* deleting and writing */
    {"rm", NULL, NULL, HIGH, DEL, ANY, DELETES},
    {"rmdir", NULL, NULL, MEDIUM, 0, ANY, N_("deletes empty directories")},
    {"unlink", NULL, NULL, HIGH, DEL, ANY, DELETES},
    {"shred", NULL, NULL, HIGH, DEL, ANY, N_("destroys data beyond recovery")},
    {"wipefs", NULL, NULL, HIGH, DEL | SYS, ANY, N_("destroys data beyond recovery")},
    {"truncate", NULL, NULL, HIGH, DEL, ANY, N_("cuts files off")},
    {"dd", NULL, NULL, HIGH, DEL | SYS, ANY, N_("writes raw data over what is there")},
    {"mkfs", NULL, NULL, HIGH, DEL | SYS, ANY, N_("makes a new file system over what is there")},
    {"fdisk", NULL, NULL, HIGH, DEL | SYS, ANY, N_("changes disks")},
    {"parted", NULL, NULL, HIGH, DEL | SYS, ANY, N_("changes disks")},
    {"cp", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"mv", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"ln", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"mkdir", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"touch", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"tee", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"install", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"patch", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"sed", NULL, NULL, LOW, 0, READER, READS},
    {"sed", NULL, "-i --in-place", MEDIUM, 0, WRITES, EDITS},
    {"tar", NULL, NULL, MEDIUM, 0, WRITES, EDITS},
    {"tar", NULL, "-t --list", LOW, 0, ANY, READS},
    {"tar", NULL, "--to-command --checkpoint-action", HIGH, 0, ANY, RUNS_CODE},
    {"unzip", NULL, NULL, MEDIUM, 0, ANY, EDITS},
    {"unzip", NULL, "-l", LOW, 0, ANY, READS},
    {"zip", NULL, NULL, MEDIUM, 0, ANY, EDITS},
    {"gzip", NULL, NULL, MEDIUM, 0, ANY, EDITS},
    {"gzip", NULL, "-l --list", LOW, 0, ANY, READS},
    {"chmod", NULL, NULL, MEDIUM, 0, WRITES, N_("changes permissions")},
    {"chmod", NULL, "-R --recursive", HIGH, SYS, ANY, N_("changes permissions of a whole tree")},
    {"chown", NULL, NULL, HIGH, SYS | PRV, ANY, N_("changes who owns files")},
    {"chgrp", NULL, NULL, HIGH, SYS | PRV, ANY, N_("changes who owns files")},
    {"setcap", NULL, NULL, HIGH, PRV | SYS, ANY, N_("gives a program special rights")},

    /* git */
    {"git", NULL, NULL, MEDIUM, 0, ANY, N_("changes the repository")},
    {"git", "blame", NULL, LOW, 0, ANY, READS},
    {"git", "branch", NULL, LOW, 0, ANY, READS},
    {"git", "branch", "-D -d --delete", HIGH, DEL, ANY, N_("deletes a branch")},
    {"git", "branch", "-m -M", MEDIUM, 0, ANY, N_("renames a branch")},
    {"git", "checkout", "-f --force --", HIGH, DEL, ANY, OVERWRITES},
    {"git", "clean", NULL, HIGH, DEL, ANY, DELETES},
    {"git", "clean", "-n --dry-run", LOW, 0, ANY, READS},
    {"git", "clone", NULL, MEDIUM, NET, ANY, FETCHES},
    {"git", "config", NULL, HIGH, SYS, ANY, N_("changes how git works from now on")},
    {"git", "config", "-l --list --get --get-all --get-regexp", LOW, 0, ANY, READS},
    {"git", "describe", NULL, LOW, 0, ANY, READS},
    {"git", "diff", NULL, LOW, 0, ANY, READS},
    {"git", "fetch", NULL, MEDIUM, NET, ANY, FETCHES},
    {"git", "filter-branch", NULL, HIGH, DEL, ANY, N_("rewrites the history")},
    {"git", "filter-repo", NULL, HIGH, DEL, ANY, N_("rewrites the history")},
    {"git", "grep", NULL, LOW, 0, ANY, READS},
    {"git", "grep", "-O --open-files-in-pager", HIGH, 0, ANY, RUNS_CODE},
    {"git", "log", NULL, LOW, 0, ANY, READS},
    {"git", "ls-files", NULL, LOW, 0, ANY, READS},
    {"git", "ls-remote", NULL, MEDIUM, NET, ANY, FETCHES},
    {"git", "ls-tree", NULL, LOW, 0, ANY, READS},
    {"git", "merge-base", NULL, LOW, 0, ANY, READS},
    {"git", "name-rev", NULL, LOW, 0, ANY, READS},
    {"git", "pull", NULL, MEDIUM, NET, ANY, N_("fetches and merges from the network")},
    {"git", "push", NULL, MEDIUM, NET, ANY, N_("sends commits to a server")},
    {"git", "push", "-f --force --force-with-lease --mirror --delete -d --prune", HIGH, DEL | NET,
     ANY, N_("rewrites or deletes what others have pushed")},
    {"git", "reflog", NULL, LOW, 0, ANY, READS},
    {"git", "reset", "--hard", HIGH, DEL, ANY, OVERWRITES},
    {"git", "restore", NULL, HIGH, DEL, ANY, OVERWRITES},
    {"git", "restore", "--staged -S", MEDIUM, 0, ANY, N_("changes what is staged")},
    {"git", "rev-list", NULL, LOW, 0, ANY, READS},
    {"git", "rev-parse", NULL, LOW, 0, ANY, READS},
    {"git", "shortlog", NULL, LOW, 0, ANY, READS},
    {"git", "show", NULL, LOW, 0, ANY, READS},
    {"git", "status", NULL, LOW, 0, ANY, READS},
    {"git", "bisect", NULL, MEDIUM, 0, ANY, BUILDS},
    {"git", "ls-remote", "--upload-pack", HIGH, 0, ANY, RUNS_CODE},
    {"git", "rebase", "-x --exec", HIGH, 0, ANY, RUNS_CODE},
    {"git", "tag", "-d --delete", HIGH, DEL, ANY, N_("deletes a tag")},
    {"git", "update-ref", NULL, HIGH, DEL, ANY, OVERWRITES},
    {"git", "version", NULL, LOW, 0, ANY, READS},

    /* builds and project code */
    {"bazel", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"bundle", NULL, NULL, MEDIUM, NET, ANY, INSTALLS},
    {"cargo", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"cargo", "publish", NULL, HIGH, EXF | NET, ANY, PUBLISHES},
    {"cargo", "install", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"cargo", "add", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"cmake", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"clang", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"gcc", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"go", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"go", "env", NULL, LOW, 0, ANY, READS},
    {"go", "get", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"go", "list", NULL, LOW, 0, ANY, READS},
    {"go", "version", NULL, LOW, 0, ANY, READS},
    {"gradle", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"just", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"make", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"make", NULL, "-n --dry-run", LOW, 0, ANY, READS},
    {"make", "install", NULL, HIGH, SYS, ANY, INSTALLS_SYSTEM},
    {"mvn", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"ninja", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"node", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"php", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"pytest", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"python", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"python3", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"perl", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"ruby", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"tox", NULL, NULL, MEDIUM, 0, ANY, BUILDS},

    /* packages */
    {"apk", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},
    {"apt", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},
    {"apt-get", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},
    {"brew", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},
    {"dnf", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},
    {"dpkg", NULL, NULL, HIGH, SYS, ANY, INSTALLS_SYSTEM},
    {"dpkg", NULL, "-l -L -s -S --list", LOW, 0, ANY, READS},
    {"npm", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"npm", "add", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"npm", "audit", NULL, MEDIUM, NET, ANY, FETCHES},
    {"npm", "ci", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"npm", "i", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"npm", "install", NULL, MEDIUM, NET, ANY, INSTALLS},
    {"npm", "ls", NULL, LOW, 0, ANY, READS},
    {"npm", "publish", NULL, HIGH, EXF | NET, ANY, PUBLISHES},
    {"npm", "root", NULL, LOW, 0, ANY, READS},
    {"npx", NULL, NULL, MEDIUM, NET, ANY, N_("downloads a program and runs it")},
    {"pacman", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},
    {"pip", NULL, NULL, MEDIUM, NET, ANY, INSTALLS},
    {"pip", "freeze", NULL, LOW, 0, ANY, READS},
    {"pip", "list", NULL, LOW, 0, ANY, READS},
    {"pip", "show", NULL, LOW, 0, ANY, READS},
    {"pip", "install", "-i --index-url --extra-index-url", HIGH, NET, ANY,
     N_("installs packages from a source of its own choice")},
    {"pip3", NULL, NULL, MEDIUM, NET, ANY, INSTALLS},
    {"pnpm", NULL, NULL, MEDIUM, NET, ANY, INSTALLS},
    {"uv", NULL, NULL, MEDIUM, NET, ANY, INSTALLS},
    {"uvx", NULL, NULL, MEDIUM, NET, ANY, N_("downloads a program and runs it")},
    {"yarn", NULL, NULL, MEDIUM, NET, ANY, INSTALLS},
    {"yarn", "publish", NULL, HIGH, EXF | NET, ANY, PUBLISHES},
    {"yum", NULL, NULL, HIGH, SYS | NET, ANY, INSTALLS_SYSTEM},

    /* network */
    {"curl", NULL, NULL, MEDIUM, NET, CONNECTS, FETCHES},
    {"curl", NULL,
     "-d -F -T -X --data --data-binary --data-raw --data-urlencode --form --upload-file --json "
     "--request",
     HIGH, EXF | NET, CONNECTS, SENDS},
    {"wget", NULL, NULL, MEDIUM, NET, CONNECTS, FETCHES},
    {"wget", NULL, "--post-data --post-file --body-file --body-data", HIGH, EXF | NET, CONNECTS,
     SENDS},
    {"dig", NULL, NULL, MEDIUM, NET, ANY, FETCHES},
    {"nslookup", NULL, NULL, MEDIUM, NET, ANY, FETCHES},
    {"ping", NULL, NULL, MEDIUM, NET, CONNECTS, FETCHES},
    {"nc", NULL, NULL, HIGH, EXF | NET, ANY, SENDS},
    {"ncat", NULL, NULL, HIGH, EXF | NET, ANY, SENDS},
    {"socat", NULL, NULL, HIGH, EXF | NET, ANY, SENDS},
    {"scp", NULL, NULL, HIGH, EXF | NET, ANY, SENDS},
    {"sftp", NULL, NULL, HIGH, EXF | NET, ANY, SENDS},
    {"rsync", NULL, NULL, HIGH, EXF | NET, ANY, SENDS},
    {"ssh", NULL, NULL, HIGH, NET | SYS, ANY, N_("runs commands on another machine")},
    {"nmap", NULL, NULL, HIGH, NET, ANY, N_("looks for open doors of other machines")},
    {"ngrok", NULL, NULL, HIGH, NET | EXF, ANY, N_("opens this machine to the network")},
    {"twine", NULL, NULL, HIGH, NET | EXF, ANY, PUBLISHES},
    {"gsutil", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"heroku", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"pulumi", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"vercel", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"telnet", NULL, NULL, HIGH, NET, ANY, SENDS},
    {"aws", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"az", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"gcloud", NULL, NULL, HIGH, NET, ANY, REMOTE},
    {"gh", NULL, NULL, MEDIUM, NET, ANY, N_("works with a code host")},
    {"gh", "auth", NULL, HIGH, EXF, ANY, N_("reads or changes log-in secrets")},
    {"gh", "gist", NULL, HIGH, EXF | NET, ANY, PUBLISHES},
    {"ansible-playbook", NULL, NULL, HIGH, NET | SYS, ANY, REMOTE},
    {"helm", NULL, NULL, HIGH, NET | SYS, ANY, REMOTE},
    {"kubectl", NULL, NULL, HIGH, NET | SYS, ANY, REMOTE},
    {"kubectl", "get", NULL, MEDIUM, NET, ANY, FETCHES},
    {"kubectl", "describe", NULL, MEDIUM, NET, ANY, FETCHES},
    {"kubectl", "logs", NULL, MEDIUM, NET, ANY, FETCHES},
    {"kubectl", "delete", NULL, HIGH, NET | SYS | DEL, ANY, REMOTE},
    {"terraform", NULL, NULL, HIGH, NET | SYS, ANY, REMOTE},
    {"terraform", "plan", NULL, MEDIUM, NET, ANY, FETCHES},
    {"terraform", "fmt", NULL, MEDIUM, 0, ANY, EDITS},
    {"terraform", "validate", NULL, LOW, 0, ANY, READS},
    {"terraform", "destroy", NULL, HIGH, NET | SYS | DEL, ANY, N_("deletes infrastructure")},

    /* containers and the machine */
    {"docker", NULL, NULL, MEDIUM, SYS, ANY, N_("works with containers")},
    {"docker", "images", NULL, LOW, 0, ANY, READS},
    {"docker", "inspect", NULL, LOW, 0, ANY, READS},
    {"docker", "logs", NULL, LOW, 0, ANY, READS},
    {"docker", "ps", NULL, LOW, 0, ANY, READS},
    {"docker", "push", NULL, HIGH, EXF | NET, ANY, PUBLISHES},
    {"docker", "rm", NULL, HIGH, DEL, ANY, N_("deletes containers")},
    {"docker", "run", "--privileged --pid --net --network", HIGH, PRV | SYS, ANY,
     N_("runs a container with rights over the machine")},
    {"docker", "system", NULL, HIGH, DEL, ANY, N_("deletes containers and images")},
    {"docker", "volume", NULL, HIGH, DEL, ANY, N_("deletes data of containers")},
    {"crontab", NULL, NULL, HIGH, SYS, ANY, N_("changes scheduled jobs")},
    {"crontab", NULL, "-l", LOW, 0, ANY, READS},
    {"chsh", NULL, NULL, HIGH, SYS, ANY, SERVICE},
    {"insmod", NULL, NULL, HIGH, SYS | PRV, ANY, SERVICE},
    {"ip", NULL, NULL, MEDIUM, SYS, ANY, SERVICE},
    {"ifconfig", NULL, NULL, HIGH, SYS, ANY, SERVICE},
    {"umount", NULL, NULL, HIGH, SYS, ANY, SERVICE},
    {"timedatectl", NULL, NULL, HIGH, SYS, ANY, SERVICE},
    {"auditctl", NULL, NULL, HIGH, SYS | CMP, ANY, N_("switches protection off")},
    {"iptables", NULL, NULL, HIGH, SYS | CMP, ANY, N_("changes the firewall")},
    {"journalctl", NULL, NULL, LOW, 0, ANY, READS},
    {"journalctl", NULL, "--vacuum-size --vacuum-time --rotate", HIGH, DEL | CMP, ANY,
     N_("deletes logs")},
    {"kill", NULL, NULL, MEDIUM, 0, ANY, N_("ends processes")},
    {"killall", NULL, NULL, HIGH, SYS, ANY, N_("ends processes by name")},
    {"pkill", NULL, NULL, HIGH, SYS, ANY, N_("ends processes by name")},
    {"modprobe", NULL, NULL, HIGH, SYS | PRV, ANY, SERVICE},
    {"mount", NULL, NULL, HIGH, SYS, ANY, SERVICE},
    {"passwd", NULL, NULL, HIGH, SYS | PRV, ANY, SERVICE},
    {"poweroff", NULL, NULL, HIGH, SYS, ANY, N_("stops the machine")},
    {"reboot", NULL, NULL, HIGH, SYS, ANY, N_("stops the machine")},
    {"setenforce", NULL, NULL, HIGH, SYS | CMP, ANY, N_("switches protection off")},
    {"shutdown", NULL, NULL, HIGH, SYS, ANY, N_("stops the machine")},
    {"su", NULL, NULL, HIGH, PRV, ANY, N_("takes another user's rights")},
    {"sysctl", NULL, NULL, LOW, 0, ANY, READS},
    {"sysctl", NULL, "-w -p", HIGH, SYS, ANY, SERVICE},
    {"systemctl", NULL, NULL, HIGH, SYS, ANY, SERVICE},
    {"systemctl", "list-units", NULL, LOW, 0, ANY, READS},
    {"systemctl", "status", NULL, LOW, 0, ANY, READS},
    {"useradd", NULL, NULL, HIGH, SYS | PRV, ANY, SERVICE},
    {"usermod", NULL, NULL, HIGH, SYS | PRV, ANY, SERVICE},
    {"visudo", NULL, NULL, HIGH, PRV | SYS, ANY, SERVICE},
    {"yes", NULL, NULL, HIGH, RES, ANY, N_("writes without end")},

    /* shells: without a script that is shown */
    {"bash", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"sh", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"zsh", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {"eval", NULL, NULL, HIGH, 0, ANY, RUNS_CODE},
    {"source", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
    {".", NULL, NULL, MEDIUM, 0, ANY, BUILDS},
};

static const char *const secrets[] = {
    ".ssh/id_",         ".aws/credentials", ".netrc",
    "/etc/shadow",      ".kube/config",     ".docker/config.json",
    ".git-credentials", ".pgpass",          ".npmrc",
    ".pypirc",          ".gnupg",           ".config/gh/hosts",
    "/etc/gshadow",     ".vault-token",     "credentials.json",
    ".bash_history",    ".zsh_history",     "/environ",
};
static const char *const secret_ends[] = {".env", ".pem", ".key", ".p12", ".pfx", ".kdbx"};

static const char *const system_places[] = {
    "/etc/", "/usr/",  "/bin/",     "/sbin/",      "/lib",      "/boot", "/opt/",
    "/sys/", "/proc/", "/var/lib/", "/var/spool/", "/var/log/", "/dev/"};
static const char *const startup_files[] = {
    ".bashrc",     ".bash_profile", ".profile",          ".zshrc",
    ".zprofile",   ".bash_login",   ".zshenv",           ".ssh/authorized_keys",
    ".ssh/config", ".gitconfig",    ".config/autostart", ".config/systemd",
};

static bool contains_one_of(const char *text, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, list[i]) != NULL)
            return true;
    return false;
}

bool effects_is_secret(const char *path)
{
    if (contains_one_of(path, secrets, COUNT(secrets)))
        return true;
    size_t length = strlen(path);
    for (size_t i = 0; i < COUNT(secret_ends); i++) {
        size_t width = strlen(secret_ends[i]);
        if (length >= width && strcmp(path + length - width, secret_ends[i]) == 0)
            return true;
    }
    return false;
}

bool effects_is_system(const char *path)
{
    for (size_t i = 0; i < COUNT(system_places); i++)
        if (strncmp(path, system_places[i], strlen(system_places[i])) == 0)
            return true;
    return contains_one_of(path, startup_files, COUNT(startup_files));
}

static unsigned fit_of(const struct effect *effect)
{
    return (effect->subcommand != NULL) + 2u * (effect->options != NULL);
}

const struct effect *effects_find(const char *const *words, size_t count)
{
    const char *program = wrapper_basename(words[0]);
    const char *subcommand = wrapper_subcommand(words, count);
    const struct effect *best = NULL;
    for (size_t i = 0; i < COUNT(effects); i++) {
        const struct effect *effect = &effects[i];
        if (strcmp(effect->program, program) != 0 ||
            (effect->subcommand != NULL && strcmp(effect->subcommand, subcommand) != 0) ||
            (effect->options != NULL && !wrapper_has_option(words, count, effect->options)))
            continue;
        if (best == NULL || fit_of(effect) > fit_of(best) ||
            (fit_of(effect) == fit_of(best) && effect->level > best->level))
            best = effect;
    }
    return best;
}
