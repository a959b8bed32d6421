/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "base/random.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

void random_fill(void *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t got = getrandom((char *)bytes + done, length - done, 0);
        if (got > 0)
            done += (size_t)got;
        else if (errno != EINTR)
            abort(); /* getrandom(2) fails only for arguments */
    }
}
