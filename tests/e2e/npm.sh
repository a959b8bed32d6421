# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Programs that others wrote, from the npm registry, for the tests that drive Assent with them. For
# scripts that have sourced lib.sh.

# shellcheck disable=SC2154 # lib.sh has e2e_build and e2e_dir
npm_place=${E2E_NPM:-$e2e_build/npm} # kept between runs and shared by build directories

# npm_fetch PACKAGE VERSION: leaves the directory that it is installed in, node_modules below it, in
# $npm_directory. Without it there is no test: that is a failure, not a reason to skip.
npm_fetch() {
    test_need node npm flock
    npm_directory=$npm_place/$(printf '%s' "$1" | tr -c '[:alnum:]\n' '-')-$2
    mkdir -p "$npm_place"
    # Another script may be fetching the same.
    # shellcheck disable=SC2016,SC2154 # for the inner shell
    flock "$npm_place" sh -c '
        [ ! -d "$1" ] || exit 0
        rm -rf "$1.new" && mkdir "$1.new" && cd "$1.new" &&
        npm install --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
            --fetch-timeout=60000 --fetch-retries=1 "$2" && cd .. && mv "$1.new" "$1"' \
        npm-fetch "$npm_directory" "$1@$2" >"$e2e_dir/npm.log" 2>&1 || {
        cat "$e2e_dir/npm.log"
        echo "$0: $1 $2 could not be fetched from the npm registry; this test needs it (see above)"
        exit 1
    }
}
