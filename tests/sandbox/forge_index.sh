#!/bin/bash
# SPDX-License-Identifier: MIT
# Puts another path of the same length into the index of the repository here, and the sum that
# belongs to it: git itself would not add such a path.
#   forge_index.sh GIT-DIRECTORY PATH OTHER
forged=$1/forged
head -c -20 "$1/index" | LC_ALL=C sed "s#$2#$3#" >"$forged"
sum=$(sha1sum <"$forged" | cut -c 1-40 | sed 's/../\\x&/g')
# shellcheck disable=SC2059 # it is all escapes
printf "$sum" >>"$forged"
mv "$forged" "$1/index"
