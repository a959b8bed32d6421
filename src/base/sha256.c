/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/sha256.h"

#include <string.h>

#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

/* Nettle renames its functions by macros, also the one that has the name of ours. */
#undef sha256_init

_Static_assert(sizeof(struct sha256_ctx) <= sizeof(struct sha256), "no room for Nettle's state");

/* Version 4 took the argument for a length away. */
#if NETTLE_VERSION_MAJOR >= 4
#define WHOLE(context, out) context, out
#else
#define WHOLE(context, out) context, SHA256_SIZE, out
#endif

static struct sha256_ctx *context_of(struct sha256 *hash)
{
    return (struct sha256_ctx *)(void *)hash;
}

void sha256_init(struct sha256 *hash)
{
    nettle_sha256_init(context_of(hash));
}

void sha256_add(struct sha256 *hash, const void *bytes, size_t length)
{
    nettle_sha256_update(context_of(hash), length, bytes);
}

void sha256_finish(struct sha256 *hash, unsigned char out[SHA256_SIZE])
{
    nettle_sha256_digest(WHOLE(context_of(hash), out));
}

void sha256_of(const void *bytes, size_t length, unsigned char out[SHA256_SIZE])
{
    struct sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, bytes, length);
    sha256_finish(&hash, out);
}

void sha256_hmac(const void *key, size_t key_length, const void *bytes, size_t length,
                 unsigned char out[SHA256_SIZE])
{
    struct hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, key_length, key);
    hmac_sha256_update(&context, length, bytes);
    hmac_sha256_digest(WHOLE(&context, out));
}

int sha256_equal(const void *one, const void *other, size_t length)
{
    return memeql_sec(one, other, length);
}

void sha256_hex(const unsigned char hash[SHA256_SIZE], char out[SHA256_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < SHA256_SIZE; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[2 * SHA256_SIZE] = '\0';
}

/* -1 for what is no digit. */
static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

int sha256_parse(const char *hex, unsigned char hash[SHA256_SIZE])
{
    for (size_t i = 0; i < SHA256_SIZE; i++) {
        int high = digit_value(hex[2 * i]);
        int low = high < 0 ? -1 : digit_value(hex[2 * i + 1]);
        if (low < 0)
            return -1;
        hash[i] = (unsigned char)(high << 4 | low);
    }
    return 0;
}
