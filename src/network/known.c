/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "network/known.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/i18n.h"

/* A name that begins with a dot stands for every name that ends so; only where nobody but its owner
 * makes such names. */
static const struct {
    const char *name, *words;
} hosts[] = {
    {"registry.npmjs.org", N_("packages of npm")},
    {"registry.yarnpkg.com", N_("packages of npm")},
    {"pypi.org", N_("Python packages")},
    {"files.pythonhosted.org", N_("Python packages")},
    {"crates.io", N_("Rust packages")},
    {"index.crates.io", N_("Rust packages")},
    {"static.crates.io", N_("Rust packages")},
    {"static.rust-lang.org", N_("Rust itself")},
    {"proxy.golang.org", N_("Go modules")},
    {"sum.golang.org", N_("checksums of Go modules")},
    {"rubygems.org", N_("Ruby packages")},
    {"repo.maven.apache.org", N_("Java packages")},
    {"repo1.maven.org", N_("Java packages")},
    {"services.gradle.org", N_("Gradle itself")},
    {"plugins.gradle.org", N_("Gradle plugins")},
    {"repo.packagist.org", N_("PHP packages")},
    {"api.nuget.org", N_(".NET packages")},
    {"hex.pm", N_("Erlang packages")},
    {"repo.hex.pm", N_("Erlang packages")},
    {"hackage.haskell.org", N_("Haskell packages")},
    {"deb.debian.org", N_("Debian packages")},
    {"security.debian.org", N_("Debian packages")},
    {"archive.ubuntu.com", N_("Ubuntu packages")},
    {"security.ubuntu.com", N_("Ubuntu packages")},
    {"dl-cdn.alpinelinux.org", N_("Alpine packages")},
    {"registry-1.docker.io", N_("container images; anybody can upload some")},
    {"ghcr.io", N_("container images; anybody can upload some")},
    {"github.com", N_("repositories; anybody can upload there")},
    {"api.github.com", N_("repositories; anybody can upload there")},
    {"codeload.github.com", N_("repositories, as archives")},
    {"raw.githubusercontent.com", N_("files that anybody can upload")},
    {"objects.githubusercontent.com", N_("files that anybody can upload")},
    {"gitlab.com", N_("repositories; anybody can upload there")},
    {"bitbucket.org", N_("repositories; anybody can upload there")},
    {"huggingface.co", N_("models; anybody can upload there")},
    {"nodejs.org", N_("Node.js itself")},
    {".pages.dev", N_("pages that anybody can make")},
    {".github.io", N_("pages that anybody can make")},
    {".ngrok.io", N_("a tunnel to somebody's machine")},
    {".ngrok-free.app", N_("a tunnel to somebody's machine")},
    {".trycloudflare.com", N_("a tunnel to somebody's machine")},
    {"webhook.site", N_("a page that shows what is sent to it")},
    {"pastebin.com", N_("texts that anybody can upload")},
    {"transfer.sh", N_("files that anybody can upload")},
};

static int matches(const char *pattern, const char *name)
{
    size_t length = strlen(name), suffix = strlen(pattern);
    if (pattern[0] != '.')
        return strcmp(pattern, name) == 0;
    return length > suffix && strcmp(name + length - suffix, pattern) == 0;
}

const char *known_host(const char *name)
{
    for (size_t i = 0; i < COUNT(hosts); i++)
        if (matches(hosts[i].name, name))
            return hosts[i].words;
    return NULL;
}
