/* SPDX-License-Identifier: MIT */
/* sandbox_cli_program: `assent sandbox` as a program of its own, for the tests. */
#include "config.h"

#include "sandbox_cli.h"

int main(int argc, char **argv)
{
    return sandbox_cli_main(argc, argv);
}
