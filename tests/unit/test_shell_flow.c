/* SPDX-License-Identifier: MIT */
/* What is downloaded or decoded and then run. */
#include "config.h"

#include "command/shell_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"

static const struct {
    const char *script;
    bool runs;
} rows[] = {
    {"curl x | sh", true},
    {"curl x | tee y | sudo -u a bash -s -- -y", true},
    {"curl x | bash -euo pipefail -", true},
    {"wget -O- x | python3", true},
    {"wget -O- x | python3 - y", true},
    {"wget -O- x | python3.11", true},
    {"wget -O- x | pypy3", true},
    {"base64 -d x | perl -w", true},
    {"{ echo a; curl x; } | (cd y; sh)", true},
    {"curl x | if true; then sh; fi", true},
    {"bash <(curl x)", true},
    {"bash -x <(curl x | tr a b)", true},
    {"source <(curl x)", true},
    {". /dev/stdin <<<a; sh -c \"$(curl x)\"", true},
    {"python3 -c \"$(curl x)\"", true},
    {"eval \"a $(curl x)\"", true},
    {"eval `xxd -r x`", true},
    {"x=$(curl y | sh)", true},
    {"echo $(curl x) | sh", true},
    {"curl x", false},
    {"curl x; sh", false},
    {"curl x && sh y", false},
    {"curl x | jq .", false},
    {"curl x | python3 -m json.tool", false},
    {"curl x | python3 y.py", false},
    {"curl x | node -e 'f()'", false},
    {"curl x | sh -c 'cat >y'", false},
    {"curl x | sh y", false},
    {"sh y \"$(curl x)\"", false},
    {"echo \"$(curl x)\"", false},
    {"echo 'curl x | sh'", false},
    {"cat x | sh", false},
};

static void downloads_are_followed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct shell_tree *tree = shell_tree_new(rows[i].script, strlen(rows[i].script));
        bool *downloads = shell_flow_downloads(tree), any = false;
        for (size_t j = 0; j < tree->count; j++)
            any = any || downloads[j];
        if (any != rows[i].runs)
            fail_msg("%s", rows[i].script);
        free(downloads);
        shell_tree_free(&tree);
    }
}

/* Each group reads from the one before it: this ends although there are very many ways through. */
static void long_pipelines_end(void **state)
{
    (void)state;
    struct strbuf script = STRBUF_INIT;
    for (size_t i = 0; i < 1000; i++)
        strbuf_addf(&script, "%s{ a; b; }", i > 0 ? " | " : "");
    strbuf_addstr(&script, " | sh");
    struct shell_tree *tree = shell_tree_new(strbuf_str(&script), script.length);
    bool *downloads = shell_flow_downloads(tree);
    assert_int_equal(tree->count, 2001);
    assert_false(downloads[2000]);
    free(downloads);
    shell_tree_free(&tree);
    strbuf_free(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(downloads_are_followed),
        cmocka_unit_test(long_pipelines_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
