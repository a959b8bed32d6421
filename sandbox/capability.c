/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sandbox/capability.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int capability_drop_all(void)
{
    /* Ends at the first number that the kernel does not know. Without CAP_SETPCAP the set stays;
     * no_new_privs then keeps an ordinary user from gaining any of it, but not root. */
    for (unsigned long capability = 0; capability < 64; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) {
            if (errno == EINVAL || (errno == EPERM && geteuid() != 0))
                break;
            return -errno;
        }
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
        return -errno;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}
