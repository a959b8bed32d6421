/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target without libFuzzer: each file of its corpus, then seeded variations of it.
 *
 *     fuzz_NAME [FILE…]        default: all files of $srcdir/tests/fuzz/corpus/NAME
 */
#include "config.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fd.h"

#define FILE_LIMIT (16 * 1024 * 1024)
#define VARIATIONS 200

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static uint32_t random_state;

static size_t chance(size_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return limit ? (random_state >> 8) % limit : 0;
}

/* Changes a few places: a byte, a digit's worth, a piece that is repeated or left out. */
static size_t vary(uint8_t *bytes, size_t length)
{
    for (size_t left = 1 + chance(8); left > 0 && length > 0; left--) {
        size_t at = chance(length), size = chance(length - at < 64 ? length - at : 64);
        switch (chance(4)) {
        case 0:
            bytes[at] = (uint8_t)chance(256);
            break;
        case 1:
            bytes[at] ^= (uint8_t)(1u << chance(8));
            break;
        case 2:
            memmove(bytes + at, bytes + at + size, length - at - size);
            length -= size;
            break;
        default:
            memmove(bytes + chance(length - size + 1), bytes + at, size);
            break;
        }
    }
    return length;
}

static int run_file(const char *path)
{
    size_t length;
    cleanup_free char *original = fd_read_file(path, FILE_LIMIT, false, &length);
    if (!original) {
        perror(path);
        return 1;
    }
    LLVMFuzzerTestOneInput((const uint8_t *)original, length);
    random_state = 1;
    for (int i = 0; i < VARIATIONS; i++) {
        /* A block of the exact size, so that a sanitizer sees a read beyond it. */
        cleanup_free uint8_t *bytes = xmemdup(original, length + 1);
        size_t varied = vary(bytes, length);
        cleanup_free uint8_t *exact = xmemdup(bytes, varied + !varied);
        LLVMFuzzerTestOneInput(exact, varied);
    }
    return 0;
}

static int run_corpus(const char *name)
{
    const char *source = getenv("srcdir");
    cleanup_free char *folder = xasprintf("%s/tests/fuzz/corpus/%s", source ? source : ".", name);
    DIR *directory = opendir(folder);
    if (!directory) {
        perror(folder);
        return 1;
    }
    int failed = 0, files = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        cleanup_free char *path = xasprintf("%s/%s", folder, entry->d_name);
        failed |= run_file(path);
        files++;
    }
    closedir(directory);
    printf("%s: %d files, %d variations of each\n", name, files, VARIATIONS);
    return failed || files == 0;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *name = strstr(slash ? slash : argv[0], "fuzz_");
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= run_file(argv[i]);
    return argc > 1 ? failed : run_corpus(name ? name + strlen("fuzz_") : "");
}
