/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/proof.h"

#include <errno.h>
#include <string.h>
#ifdef __linux__
#include <linux/seccomp.h>
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "base/random.h"

#define KEY_NAME "console.key"
/* Hashes under the same key for another purpose must never pass as a proof. */
#define PURPOSE "assent console proof 1"
#define PURPOSE_CONFINED "assent console proof 1, confined"

/* ---- the secret ---------------------------------------------------------------------------- */

/* Ours or root's, and nobody else may write to it. */
static int check_directory(const char *directory, struct error *error)
{
    struct stat status;
    if (stat(directory, &status) < 0)
        return error_errno(error, errno, "cannot look at the configuration directory %s",
                           directory);
    if ((status.st_uid != geteuid() && status.st_uid != 0) || (status.st_mode & 022) != 0)
        return error_set(error, EPERM,
                         "others can write to the configuration directory %s: chmod go-w it",
                         directory);
    return 0;
}

int proof_key_read(const char *directory, bool create, struct secret *key, struct error *error)
{
    cleanup_free char *path = xasprintf("%s/" KEY_NAME, directory);
    int result = create ? fd_make_directories(directory, 0700) : 0;
    if (result < 0)
        return error_errno(error, -result, "cannot make the directory %s", directory);
    if (check_directory(directory, error) < 0)
        return -1;
    if (create && secret_create(path, error) < 0)
        return -1;
    return secret_read(path, key, error);
}

int proof_key_copy(const struct secret *key, const char *directory, struct error *error)
{
    struct secret there;
    struct error ignored = ERROR_INIT;
    cleanup_free char *path = xasprintf("%s/" KEY_NAME, directory);
    if (proof_key_read(directory, false, &there, &ignored) == 0 &&
        sha256_equal(&there, key, sizeof(there)))
        return 0;
    int result = fd_make_directories(directory, 0700);
    if (result < 0)
        return error_errno(error, -result, "cannot make the directory %s", directory);
    return check_directory(directory, error) < 0 ? -1 : secret_write(path, key, error);
}

/* ---- challenge and proof -------------------------------------------------------------------- */

void proof_challenge(char out[SHA256_HEX_SIZE])
{
    unsigned char bytes[SHA256_SIZE];
    random_fill(bytes, sizeof(bytes));
    sha256_hex(bytes, out);
}

void proof_make(const struct secret *key, const char *challenge, pid_t client,
                char out[SHA256_HEX_SIZE])
{
    unsigned char hash[SHA256_SIZE];
    cleanup_free char *text = xasprintf(PURPOSE "\n%d\n%s", (int)client, challenge);
    sha256_hmac(key->bytes, sizeof(key->bytes), text, strlen(text), hash);
    sha256_hex(hash, out);
}

static bool is_same(const char *expected, const char *proof)
{
    return proof != NULL && strlen(proof) == SHA256_HEX_SIZE - 1 &&
           sha256_equal(expected, proof, SHA256_HEX_SIZE - 1);
}

bool proof_check(const struct secret *key, const char *challenge, const char *proof)
{
    char expected[SHA256_HEX_SIZE];
    proof_make(key, challenge, getpid(), expected);
    return is_same(expected, proof);
}

/* ---- confined agents ------------------------------------------------------------------------ */

bool proof_is_confined(void)
{
#ifdef __linux__
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
           prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
#else
    return false;
#endif
}

void proof_make_confined(const char *capability, const char *challenge, char out[SHA256_HEX_SIZE])
{
    unsigned char hash[SHA256_SIZE];
    cleanup_free char *text = xasprintf(PURPOSE_CONFINED "\n%s", challenge);
    sha256_hmac(capability, strlen(capability), text, strlen(text), hash);
    sha256_hex(hash, out);
}

bool proof_check_confined(const char *capability, const char *challenge, const char *proof)
{
    char expected[SHA256_HEX_SIZE];
    proof_make_confined(capability, challenge, expected);
    return is_same(expected, proof);
}
