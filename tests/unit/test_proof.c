/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "agents/proof.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fd.h"

struct place {
    char directory[64], file[96];
};

static int set_up(void **state)
{
    struct place *place = calloc(1, sizeof(*place));
    assert_non_null(place);
    snprintf(place->directory, sizeof(place->directory), "/tmp/assent-test-XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    snprintf(place->file, sizeof(place->file), "%s/console.key", place->directory);
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;
    unlink(place->file);
    assert_int_equal(rmdir(place->directory), 0); /* nothing else was left in it */
    free(place);
    return 0;
}

static struct secret must_read(const struct place *place, bool create)
{
    struct error error = ERROR_INIT;
    struct secret key = {{0}};
    if (proof_key_read(place->directory, create, &key, &error) < 0)
        fail_msg("%s", error.message);
    return key;
}

static void must_refuse(const struct place *place, const char *why)
{
    struct error error = ERROR_INIT;
    struct secret key;
    assert_int_equal(proof_key_read(place->directory, true, &key, &error), -1);
    assert_non_null(strstr(error.message, why));
}

static void the_secret_is_made_once_and_kept_private(void **state)
{
    struct place *place = *state;
    struct error error = ERROR_INIT;
    struct secret key, again;
    struct stat status;
    assert_int_equal(proof_key_read(place->directory, false, &key, &error), -1);
    assert_int_equal(error.number, ENOENT);
    key = must_read(place, true);
    again = must_read(place, true);
    assert_memory_equal(&key, &again, sizeof(key));
    assert_int_equal(stat(place->file, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

static void a_secret_that_others_may_know_is_none(void **state)
{
    struct place *place = *state;
    must_read(place, true);
    assert_int_equal(chmod(place->file, 0640), 0);
    must_refuse(place, "others could have read");
    assert_int_equal(chmod(place->file, 0600), 0);
    assert_int_equal(chmod(place->directory, 0770), 0);
    must_refuse(place, "others can write to");
    assert_int_equal(chmod(place->directory, 0700), 0);
    must_read(place, false);
}

static void a_damaged_or_planted_secret_is_refused(void **state)
{
    struct place *place = *state;
    static const char short_text[] = "0123\n";
    assert_int_equal(fd_replace_file(place->file, short_text, strlen(short_text), 0600), 0);
    must_refuse(place, "damaged");
    assert_int_equal(unlink(place->file), 0);
    assert_int_equal(symlink("/etc/hostname", place->file), 0);
    must_refuse(place, "cannot read");
}

static void a_proof_is_for_one_secret_one_challenge_and_one_process(void **state)
{
    struct place *place = *state;
    struct secret key = must_read(place, true), other = key;
    char challenge[SHA256_HEX_SIZE], another[SHA256_HEX_SIZE], proof[SHA256_HEX_SIZE];
    proof_challenge(challenge);
    proof_challenge(another);
    assert_string_not_equal(challenge, another);
    proof_make(&key, challenge, getpid(), proof);
    assert_true(proof_check(&key, challenge, proof));
    assert_false(proof_check(&key, another, proof));
    assert_false(proof_check(&key, challenge, NULL));
    assert_false(proof_check(&key, challenge, ""));
    other.bytes[31] ^= 1;
    assert_false(proof_check(&other, challenge, proof));
    /* Got by a process between the two. */
    proof_make(&key, challenge, getppid(), proof);
    assert_false(proof_check(&key, challenge, proof));
}

static void a_confined_agents_proof_is_for_its_capability_and_one_challenge(void **state)
{
    char challenge[SHA256_HEX_SIZE], another[SHA256_HEX_SIZE], proof[SHA256_HEX_SIZE];
    (void)state;
    proof_challenge(challenge);
    proof_challenge(another);
    proof_make_confined("capability", challenge, proof);
    assert_true(proof_check_confined("capability", challenge, proof));
    assert_false(proof_check_confined("capability", another, proof));
    assert_false(proof_check_confined("other", challenge, proof));
    assert_false(proof_check_confined("capability", challenge, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_secret_is_made_once_and_kept_private, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_secret_that_others_may_know_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_or_planted_secret_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_proof_is_for_one_secret_one_challenge_and_one_process,
                                        set_up, tear_down),
        cmocka_unit_test(a_confined_agents_proof_is_for_its_capability_and_one_challenge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
