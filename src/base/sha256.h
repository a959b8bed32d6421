/* SPDX-License-Identifier: MIT */
/* sha256: SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), by Nettle: of the libraries that have
 * them it takes the least time to load (OpenSSL's takes longer than all the rest of a client). */
#ifndef ASSENT_BASE_SHA256_H
#define ASSENT_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32 /* bytes of a hash */

/* Room for the library's own state, whose type stays in sha256.c. */
struct sha256 {
    uint64_t state[16];
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t length);
/* Ends the hash; it has to be initialized again before further use. */
void sha256_finish(struct sha256 *hash, unsigned char out[SHA256_SIZE]);

/* The hash of bytes that are all there. */
void sha256_of(const void *bytes, size_t length, unsigned char out[SHA256_SIZE]);
void sha256_hmac(const void *key, size_t key_length, const void *bytes, size_t length,
                 unsigned char out[SHA256_SIZE]);

/* Two texts or hashes of the same length are equal; takes as long whatever differs. */
int sha256_equal(const void *one, const void *other, size_t length);

/* A hash as 64 lower-case hexadecimal digits and a NUL. */
#define SHA256_HEX_SIZE (2 * SHA256_SIZE + 1)
void sha256_hex(const unsigned char hash[SHA256_SIZE], char out[SHA256_HEX_SIZE]);
/* Back from lower-case hexadecimal digits, 2 * SHA256_SIZE of them. 0, or -1 when it is no hash. */
int sha256_parse(const char *hex, unsigned char hash[SHA256_SIZE]);

#endif
