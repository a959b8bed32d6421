/* SPDX-License-Identifier: MIT */
/*
 * bench_vt: CPU time of the terminal in a pane, in nanoseconds for each byte of output.
 *
 *     bench_vt [-s ROWSxCOLUMNS] [-m MEGABYTES] [FILE…]
 *
 * Without files: text, yes, coloured listing and UTF-8, made here from a fixed seed. Bytes are
 * written in pieces of 4,095, as a Linux pseudo-terminal gives them. Not part of make check.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ui/term/vt.h"

#define SAMPLE (4 * 1024 * 1024)
#define PIECE 4095
#define SCROLLBACK 2000
#define FILE_LIMIT (512 * 1024 * 1024)

static uint32_t seed = 1;

static uint32_t chance(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

static void add_word(struct strbuf *out)
{
    for (uint32_t left = 2 + chance(8); left > 0; left--)
        strbuf_addch(out, (char)('a' + chance(26)));
}

static void make_text(struct strbuf *out)
{
    while (out->length < SAMPLE) {
        for (uint32_t words = chance(20); words > 0; words--) {
            add_word(out);
            strbuf_addch(out, ' ');
        }
        strbuf_addstr(out, "\r\n");
    }
}

static void make_yes(struct strbuf *out)
{
    while (out->length < SAMPLE)
        strbuf_addstr(out, "y\r\n");
}

static void make_listing(struct strbuf *out)
{
    while (out->length < SAMPLE) {
        strbuf_addf(out, "-rw-r--r-- 1 root root %8u Jan %2u  2026 \033[0m\033[01;%um",
                    chance(9999999), 1 + chance(31), 31 + chance(6));
        add_word(out);
        strbuf_addstr(out, "\033[0m\r\n");
    }
}

static void add_codepoints(struct strbuf *out, uint32_t first, uint32_t count)
{
    char bytes[4];
    for (uint32_t left = 1 + chance(7); left > 0; left--)
        strbuf_add(out, bytes, text_encode(first + chance(count), bytes));
}

static void make_utf8(struct strbuf *out)
{
    while (out->length < SAMPLE) {
        for (uint32_t parts = 2 + chance(14); parts > 0; parts--) {
            uint32_t kind = chance(100);
            if (kind < 45)
                add_codepoints(out, 0x4e00, 0x51a5);
            else if (kind < 60)
                add_codepoints(out, 0xac00, 0x2ba3);
            else if (kind < 77)
                add_codepoints(out, 0x1f600, 0x4f);
            else if (kind < 87)
                add_codepoints(out, 0x430, 0x1f);
            else if (kind < 93)
                strbuf_addstr(out, "e\xcc\x81n\xcc\x83"
                                   "a\xcc\x88o\xcc\x82");
            else
                strbuf_addstr(out, "plain ascii words");
            strbuf_addch(out, ' ');
        }
        strbuf_addstr(out, "\r\n");
    }
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct setting {
    int rows, columns;
    size_t bytes; /* to write for each sample */
};

static void measure(const char *name, const char *bytes, size_t length,
                    const struct setting *setting)
{
    static const struct vt_events events;
    struct vt *vt = vt_new(setting->rows, setting->columns, SCROLLBACK, &events, NULL);
    size_t written = 0;
    double start = cpu_seconds();
    while (length > 0 && written < setting->bytes) {
        for (size_t at = 0; at < length; at += PIECE)
            vt_write(vt, bytes + at, length - at < PIECE ? length - at : PIECE);
        written += length;
    }
    double seconds = cpu_seconds() - start;
    printf("%-12s %dx%d  %7.2f ns/B  grid %zu KB\n", name, setting->columns, setting->rows,
           seconds * 1e9 / (double)written, grid_memory(vt_grid(vt)) / 1024);
    vt_free(&vt);
}

static void measure_made(const struct setting *setting)
{
    static const struct {
        const char *name;
        void (*make)(struct strbuf *out);
    } samples[] = {
        {"text", make_text}, {"yes", make_yes}, {"listing", make_listing}, {"utf8", make_utf8}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        cleanup_strbuf struct strbuf sample = STRBUF_INIT;
        samples[i].make(&sample);
        measure(samples[i].name, sample.data, sample.length, setting);
    }
}

static int measure_file(const char *path, const struct setting *setting)
{
    size_t length;
    cleanup_free char *bytes = fd_read_file(path, FILE_LIMIT, false, &length);
    if (!bytes) {
        perror(path);
        return 1;
    }
    measure(path, bytes, length, setting);
    return 0;
}

int main(int argc, char **argv)
{
    struct setting setting = {24, 80, 20 * 1000 * 1000};
    int option;
    while ((option = getopt(argc, argv, "s:m:")) != -1) {
        if (option == 'm')
            setting.bytes = strtoul(optarg, NULL, 10) * 1000 * 1000;
        else if (option != 's' || sscanf(optarg, "%dx%d", &setting.rows, &setting.columns) != 2)
            return 2;
    }
    if (optind == argc)
        measure_made(&setting);
    int failed = 0;
    for (int i = optind; i < argc; i++)
        failed |= measure_file(argv[i], &setting);
    return failed;
}
