# SPDX-License-Identifier: MIT
# Programs: the launcher (bin) and the ones that it starts (libexec).
