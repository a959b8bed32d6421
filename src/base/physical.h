/* SPDX-License-Identifier: MIT */
/* physical: where a path leads, for every process alike. */
#ifndef ASSENT_BASE_PHYSICAL_H
#define ASSENT_BASE_PHYSICAL_H

/* As realpath(): all links resolved. NULL with errno, ELOOP also where the way goes through a link
 * of the kernel's, as /proc/self/cwd and /dev/fd/3: those lead each process elsewhere, so that what
 * a command finds there is not what is found here. The caller frees. */
char *physical_path(const char *path);

#endif
