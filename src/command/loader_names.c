/* SPDX-License-Identifier: MIT */
/* loader_names: which programs run code that they read, by their names. */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "command/loader.h"
#include "command/wrapper.h"

/* Programs that read what they are to run out of files or of their operands: sorted by kind, one
 * kind a block. A version at the end of a name (python3.11, gcc-12) is left out. */
static const char *const loaders[] = {
    /* shells and interpreters */
    "ash",
    "awk",
    "bash",
    "bb",
    "bun",
    "clojure",
    "crystal",
    "csh",
    "dart",
    "dash",
    "deno",
    "elixir",
    "erl",
    "escript",
    "expect",
    "fish",
    "gawk",
    "ghci",
    "groovy",
    "guile",
    "gjs",
    "gnuplot",
    "iex",
    "irb",
    "java",
    "jimsh",
    "jshell",
    "julia",
    "kotlin",
    "ksh",
    "lua",
    "luajit",
    "m4",
    "mawk",
    "mksh",
    "mono",
    "node",
    "nodejs",
    "nawk",
    "nim",
    "ocaml",
    "ocamlrun",
    "octave",
    "osascript",
    "perl",
    "php",
    "pwsh",
    "pypy",
    "python",
    "qjs",
    "r",
    "racket",
    "raku",
    "rhino",
    "rscript",
    "ruby",
    "runghc",
    "sbcl",
    "scala",
    "sh",
    "swift",
    "swipl",
    "tcc",
    "tcl",
    "tclsh",
    "tcsh",
    "ts-node",
    "tsx",
    "wasmer",
    "wasmtime",
    "wish",
    "zsh",
    /* what a shell reads or runs in its own process */
    ".",
    "enable",
    "eval",
    "source",
    "trap",
    /* builds and task runners */
    "ant",
    "autoconf",
    "automake",
    "autoreconf",
    "b2",
    "bazel",
    "bazelisk",
    "bjam",
    "bmake",
    "buck",
    "buf",
    "cabal",
    "cargo",
    "cmake",
    "configure",
    "cpack",
    "ctest",
    "dotnet",
    "doxygen",
    "dune",
    "earthly",
    "flutter",
    "gmake",
    "go",
    "goreleaser",
    "gradle",
    "gradlew",
    "invoke",
    "jake",
    "just",
    "latexmk",
    "lefthook",
    "lein",
    "libtool",
    "lualatex",
    "luatex",
    "make",
    "mage",
    "mdbook",
    "meson",
    "mill",
    "mix",
    "msbuild",
    "mvn",
    "mvnw",
    "ninja",
    "nix",
    "nix-build",
    "nix-shell",
    "nmake",
    "npm",
    "npx",
    "nx",
    "pandoc",
    "pants",
    "pdflatex",
    "pdftex",
    "pnpm",
    "qmake",
    "rake",
    "rebar3",
    "redo",
    "rustc",
    "samu",
    "sbt",
    "scons",
    "stack",
    "swiftc",
    "task",
    "tup",
    "turbo",
    "waf",
    "wasm-pack",
    "xcodebuild",
    "xelatex",
    "yarn",
    "zig",
    /* compilers and linkers: plug-ins, response files */
    "bison",
    "c++",
    "c99",
    "cc",
    "clang",
    "clang++",
    "cpp",
    "g++",
    "gcc",
    "ghc",
    "ld",
    "lld",
    "ldd",
    "ocamlfind",
    "protoc",
    "tsc",
    "yacc",
    /* tests and checkers */
    "ava",
    "behave",
    "cypress",
    "eslint",
    "jest",
    "mocha",
    "mypy",
    "nose",
    "nox",
    "phpunit",
    "playwright",
    "prettier",
    "pylint",
    "pytest",
    "rspec",
    "rubocop",
    "tox",
    "vitest",
    /* packages and environments */
    "apt",
    "apt-get",
    "bundle",
    "bundler",
    "brew",
    "composer",
    "conda",
    "cpan",
    "cpanm",
    "dpkg",
    "dpkg-buildpackage",
    "gem",
    "hatch",
    "luarocks",
    "mamba",
    "opam",
    "pacman",
    "pdm",
    "pip",
    "pipenv",
    "pipx",
    "poetry",
    "rpm",
    "rpmbuild",
    "rustup",
    "uv",
    "uvx",
    "volta",
    "yay",
    /* containers, deployment, several machines */
    "ansible",
    "ansible-playbook",
    "buildah",
    "chef",
    "docker",
    "docker-compose",
    "fab",
    "helm",
    "helmfile",
    "kubectl",
    "kustomize",
    "minikube",
    "nerdctl",
    "nomad",
    "oc",
    "packer",
    "podman",
    "pulumi",
    "puppet",
    "salt",
    "serverless",
    "skaffold",
    "terraform",
    "terragrunt",
    "tofu",
    "vagrant",
    /* debuggers, tracers, emulators, multiplexers, schedulers, editors with a terminal */
    "at",
    "batch",
    "bwrap",
    "code",
    "crontab",
    "dtrace",
    "gdb",
    "lldb",
    "qemu",
    "rr",
    "screen",
    "tmux",
    "wine",
    "zellij",
    /* others that read commands out of a file or run their operands */
    "assent",
    "bpftrace",
    "busybox",
    "capsh",
    "direnv",
    "entr",
    "env",
    "fd",
    "fdfind",
    "find",
    "firejail",
    "gawk",
    "git-rebase",
    "ld.so",
    "mise",
    "overmind",
    "parallel",
    "pre-commit",
    "proot",
    "run-parts",
    "script",
    "start-stop-daemon",
    "systemctl",
    "systemd-run",
    "toybox",
    "watch",
    "watchexec",
    "xterm",
};

/* The same, but out of scripts of their own: none of a project's builds and tests. */
static const char *const scripted[] = {
    "aria2c", "bc",        "blender",  "dc",   "duckdb",  "ed",      "emacs",     "emacsclient",
    "ex",     "gimp",      "gpg",      "gs",   "hx",      "less",    "logrotate", "man",
    "mbsync", "mongo",     "mongosh",  "more", "msmtp",   "mutt",    "mysql",     "nano",
    "nc",     "ncat",      "nmap",     "nvim", "open",    "openssl", "patch",     "pico",
    "psql",   "redis-cli", "rsync",    "rvim", "scp",     "sed",     "sftp",      "socat",
    "split",  "sqlite",    "sqlite3",  "tar",  "tcpdump", "unison",  "vi",        "view",
    "vim",    "vimdiff",   "xdg-open", "zip",
};

static bool name_in(const char *name, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncasecmp(names[i], name, length) == 0 && names[i][length] == '\0')
            return true;
    return false;
}

/* Length of the name without a version at its end: python3.11, gcc-12, qemu-system-x86_64. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    if (strncmp(name, "qemu-", 5) == 0)
        return 4;
    if (strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.", 3) == 0)
        return 2;
    while (length > 1 && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '.' ||
                          name[length - 1] == '-'))
        length--;
    return length;
}

static bool is_named(const char *name, size_t length, bool builds_only)
{
    return name_in(name, length, loaders, COUNT(loaders)) ||
           (!builds_only && name_in(name, length, scripted, COUNT(scripted)));
}

static bool is_loader(const char *program, bool builds_only)
{
    const char *name = wrapper_basename(program);
    return is_named(name, strlen(name), builds_only) ||
           is_named(name, stem_length(name), builds_only);
}

/* Cross compilers and the like carry the target in front: x86_64-linux-gnu-gcc. */
static bool is_prefixed_loader(const char *program, bool builds_only)
{
    const char *name = wrapper_basename(program), *dash = strrchr(name, '-');
    while (dash != NULL && isdigit((unsigned char)dash[1]))
        dash = memrchr(name, '-', (size_t)(dash - name));
    return dash != NULL && is_loader(dash + 1, builds_only);
}

bool loader_names(const char *program, bool builds_only)
{
    return is_loader(program, builds_only) || is_prefixed_loader(program, builds_only);
}
