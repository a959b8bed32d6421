/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/filter_code.h" /* made by the program seccomp */

int filter_install(unsigned flags)
{
    struct sock_fprog program = {.len = FILTER_CODE[flags].length,
                                 .filter = (struct sock_filter *)FILTER_CODE[flags].code};
    unsigned mode = flags & FILTER_MEDIATE ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, mode, &program);
    return result < 0 ? -errno : (int)result;
}
