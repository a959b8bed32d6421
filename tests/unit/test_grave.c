/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "risk/place.h"

static void what_is_grave(void **state)
{
    static const char *const grave[] = {
        "/",
        "/home",
        "/home/ann",
        "/root",
        "~",
        "/etc",
        "/var/cache/apt/archives/partial",
        "/etc/cron.d",
        "/usr/local/lib",
        "/var",
        "/var/lib/dpkg/info",
        "/var/spool/cron/crontabs",
        "/run/user/1000",
        "/opt/tool",
        "/srv",
        "/dev/sda",
        "/var/log/app",
        "~/.config",
        "~/.config/systemd",
        "~/.config/systemd/user",
        "/home/ann/.config/autostart",
        "/home/ann/.local",
        "/home/ann/.local/bin",
        "/home/ann/.local/lib",
        "/home/ann/.cargo",
        "/home/ann/.cargo/bin",
        "/home/ann/.vim/plugin",
        "/home/ann/.nvm",
        "/home/ann/.pyenv/shims",
        "/home/ann/.tmux/plugins/tpm",
        "/home/ann/node_modules",
        "/home/ann/.config/sway/config",
        "/home/ann/shop/.claude",
        "/home/ann/shop/.CURSOR/rules",
        "/srv/shop/.git/hooks",
        "/srv/shop/.husky",
        "/srv/shop/.githooks/pre-commit",
    };
    static const char *const plain[] = {
        "/home/ann/shop", "~/.config/tool", "/home/ann/.cache/pip", "/home/ann/.cargo/registry",
        "/srv/shop",      "/mnt/data",      "/var/www/shop",        "/tmp/build",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(grave); i++)
        if (!place_is_grave(grave[i], NULL))
            fail_msg("%s is grave", grave[i]);
    for (size_t i = 0; i < COUNT(plain); i++)
        if (place_is_grave(plain[i], NULL))
            fail_msg("%s is not grave", plain[i]);
}

static void what_is_too_long_to_be_known(void **state)
{
    char path[600];
    (void)state;
    memset(path, 'x', sizeof path - 1);
    memcpy(path, "/home/ann/", 10);
    path[sizeof path - 1] = '\0';
    assert_true(place_is_grave(path, NULL));
    path[100] = '\0';
    assert_false(place_is_grave(path, NULL));
}

/* Homes are not in /home everywhere: the operator's own is known wherever it is. */
static void the_home_of_whoever_runs_it(void **state)
{
    (void)state;
    setenv("HOME", "/export/people/ann/", 1);
    assert_true(place_is_grave("/export/people/ann/.config/autostart", NULL));
    assert_int_equal(place_of("/export/people/ann/.bashrc", "/srv/shop", NULL),
                     place_of("~/.bashrc", "/srv/shop", NULL));
    assert_int_not_equal(place_of("/export/people/ann/.bashrc", "/srv/shop", NULL), PLACE_OUTSIDE);
    assert_false(place_is_grave("/net/people/ann/.config/autostart", NULL));
    assert_true(place_is_grave("/net/people/ann/.config/autostart", "/net/people/ann"));
    assert_true(place_is_grave("/net/people/ann", "/net/people/ann"));
    assert_int_equal(place_of("/export/people/anna/.bashrc", "/srv/shop", NULL), PLACE_OUTSIDE);
    setenv("HOME", "/", 1);
    assert_int_equal(place_of("/export/people/ann/.bashrc", "/srv/shop", NULL), PLACE_OUTSIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_grave),
        cmocka_unit_test(what_is_too_long_to_be_known),
        cmocka_unit_test(the_home_of_whoever_runs_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
