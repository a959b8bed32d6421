/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/filter_code.h" /* made by the program seccomp */

static int install(const struct sock_filter *code, unsigned short length, unsigned mode)
{
    struct sock_fprog program = {.len = length, .filter = (struct sock_filter *)code};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, mode, &program);
    return result < 0 ? -errno : (int)result;
}

int filter_install(unsigned flags)
{
    return install(FILTER_CODE[flags].code, FILTER_CODE[flags].length,
                   flags & FILTER_MEDIATE ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0);
}

int filter_install_group(void)
{
    return install(FILTER_CODE_GROUP, sizeof FILTER_CODE_GROUP / sizeof *FILTER_CODE_GROUP, 0);
}
