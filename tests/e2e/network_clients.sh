#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that people use, each through the sandbox and the proxy to a real server on this machine:
# asked once, granted, works; denied, ends with an error that says so.
# shellcheck source=tests/e2e/lib.sh
. "${srcdir:-.}/tests/e2e/lib.sh"
test_need python3 curl openssl
e2e_begin
# shellcheck source=tests/e2e/network.lib.sh
. "$srcdir/tests/e2e/network.lib.sh"
# shellcheck source=tests/e2e/npm.sh
. "$srcdir/tests/e2e/npm.sh"

git_clones_when_granted() {
    test_need git
    git init -q "$e2e_dir/origin"
    git -C "$e2e_dir/origin" -c user.name=t -c user.email=t@example commit -q --allow-empty -m first
    git clone -q --bare "$e2e_dir/origin" "$e2e_dir/www/repository.git"
    git -C "$e2e_dir/www/repository.git" update-server-info
    open_console
    client one -- git clone "http://$plain/repository.git" one
    wants main "http://$plain"
    keys main d
    client_ends one 128
    grep -q 403 "$e2e_dir/one.err"
    forget_denials
    client two -- git clone -q "http://$plain/repository.git" two
    wants main "http://$plain"
    keys main a
    client_ends two 0
    test "$(git -C "$e2e_work/two" log --format=%s)" = first
    console_stop main
}

# A package as its registry serves it, for npm and for pip.
make_packages() {
    mkdir -p "$e2e_dir/package" "$e2e_dir/www/simple/small"
    echo '{"name":"small","version":"1.0.0"}' >"$e2e_dir/package/package.json"
    tar -czf "$e2e_dir/www/small-1.0.0.tgz" -C "$e2e_dir" package
    printf '{"name":"small","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"small",
        "version":"1.0.0","dist":{"tarball":"http://%s/small-1.0.0.tgz"}}}}' "$plain" \
        >"$e2e_dir/www/small"
    python3 - "$e2e_dir/www/small-1.0-py3-none-any.whl" <<'CODE'
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("small.py", "")
    for name, text in {
        "METADATA": "Metadata-Version: 2.1\nName: small\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "",
    }.items():
        wheel.writestr("small-1.0.dist-info/" + name, text)
CODE
    echo '<a href="/small-1.0-py3-none-any.whl">small-1.0-py3-none-any.whl</a>' \
        >"$e2e_dir/www/simple/small/index.html"
}

npm_installs_when_granted() {
    test_need npm
    make_packages
    open_console
    client one -- npm install --no-audit --no-fund --fetch-retries=0 --registry "http://$plain" small
    wants main "http://$plain"
    keys main d
    wait_for 'the end of npm' client_status one
    test "$(client_status one)" != 0
    grep -q 403 "$e2e_dir/one.err"
    forget_denials
    client two -- npm install --no-audit --no-fund --registry "http://$plain" small
    wants main "http://$plain"
    keys main a
    client_ends two 0
    test -e "$e2e_work/node_modules/small/package.json"
    console_stop main
}

# Not what some version manager puts before it.
real_python=$(python3 -c 'import sys; print(sys.executable)')

has_pip() {
    "$real_python" -m pip --version
}

pip_installs_when_granted() {
    make_packages
    open_console
    set -- "$real_python" -m pip install --disable-pip-version-check --no-cache-dir --retries 1 \
        -t "$e2e_work/py" --trusted-host 127.0.0.2
    client one -- "$@" --cert ca.pem -i "https://$tls/simple" small
    wants main "https://$tls"
    keys main d
    client_ends one 1
    grep -q '403 Forbidden' "$e2e_dir/one.err"
    client two -- "$@" -i "http://$plain/simple" small
    wants main "http://$plain"
    keys main a
    client_ends two 0
    test -e "$e2e_work/py/small.py"
    console_stop main
}

libraries_ask_too() {
    open_console
    client one -- python3 -c "import urllib.request as u
print(u.urlopen('http://$plain/file').read().decode())"
    wants main "http://$plain"
    keys main y
    client_ends one 0
    says one 'content of the file'
    unasked main
    client two -- python3 -c "import urllib.request as u
u.urlopen('http://$plain/file')"
    wants main "http://$plain"
    keys main d
    client_ends two 1
    grep -q 'HTTP Error 403' "$e2e_dir/two.err"
    console_stop main
}

# The library that most Python programs use; pip carries it where it is not installed by itself.
requests_import='try:
    import requests
except ImportError:
    from pip._vendor import requests
'

has_requests() {
    "$real_python" -c "$requests_import"
}

python_requests_asks_too() {
    code="${requests_import}answer = requests.get('https://$tls/file', verify='ca.pem')
print(answer.status_code, answer.text)"
    open_console
    client one -- "$real_python" -c "$code"
    wants main "https://$tls"
    keys main y
    client_ends one 0
    says one '200 content of the file'
    unasked main
    client two -- "$real_python" -c "$code"
    wants main "https://$tls"
    keys main d
    client_ends two 1
    grep -q '403 Forbidden' "$e2e_dir/two.err"
    console_stop main
}

node_fetch_asks_too() {
    test_need node
    code="fetch('http://$plain/file').then(async (answer) => {
        console.log(answer.status, await answer.text());
        process.exit(answer.ok ? 0 : 3);
    }, (error) => { console.error(String(error), String(error.cause)); process.exit(4); });"
    open_console
    client one -- node -e "$code"
    wait_screen main 'May it connect there?'
    wait_screen main "://$plain"
    keys main y
    client_ends one 0
    says one '200 content of the file'
    unasked main
    client two -- node -e "$code"
    wait_screen main 'May it connect there?'
    keys main d
    wait_for 'the end of node' client_status two
    case $(client_status two) in 3 | 4) ;; *) exit 1 ;; esac
    cat "$e2e_dir/two.out" "$e2e_dir/two.err" | grep -q 403
    console_stop main
}

node_fetch_asks_over_tls() {
    test_need node
    open_console
    client one -- env "NODE_EXTRA_CA_CERTS=$e2e_work/ca.pem" node -e \
        "fetch('https://$tls/file').then((answer) => answer.text()).then(console.log)"
    wants main "https://$tls"
    keys main y
    client_ends one 0
    says one 'content of the file'
    console_stop main
}

# From 22.21 fetch() and https know the proxy themselves (NODE_USE_ENV_PROXY).
node_fetch_with_its_own_proxy_support_asks_too() {
    case $(uname -m) in aarch64) machine=arm64 ;; *) machine=x64 ;; esac
    npm_fetch "node-linux-$machine" 22.23.3
    newer=$npm_directory/node_modules/node-linux-$machine/bin/node
    code="fetch('https://$tls/file').then((answer) => answer.text()).then(console.log,
        (error) => { console.error(error); process.exit(4); });"
    open_console
    client one -- env "NODE_EXTRA_CA_CERTS=$e2e_work/ca.pem" "$newer" -e "$code"
    wants main "https://$tls"
    keys main y
    client_ends one 0
    says one 'content of the file'
    unasked main
    client two -- env "NODE_EXTRA_CA_CERTS=$e2e_work/ca.pem" "$newer" -e "$code"
    wants main "https://$tls"
    keys main d
    client_ends two 4
    grep -q 403 "$e2e_dir/two.err"
    # It is its own support: without the variable there is no way out.
    client three -- env -u NODE_USE_ENV_PROXY "$newer" -e "$code"
    client_ends three 4
    grep -q ECONNREFUSED "$e2e_dir/three.err"
    console_stop main
}

# A registry of one crate, as its sparse index serves it.
make_crate() {
    mkdir -p "$e2e_dir/small-1.0.0/src" "$e2e_dir/www/index/sm/al"
    printf '[package]\nname = "small"\nversion = "1.0.0"\nedition = "2018"\n' \
        >"$e2e_dir/small-1.0.0/Cargo.toml"
    : >"$e2e_dir/small-1.0.0/src/lib.rs"
    file=$e2e_dir/www/crates/small/1.0.0/download
    mkdir -p "${file%/*}"
    tar -czf "$file" -C "$e2e_dir" small-1.0.0
    sum=$(sha256sum "$file" | cut -d' ' -f1)
    printf '{"dl":"http://%s/crates"}' "$plain" >"$e2e_dir/www/index/config.json"
    printf '{"name":"small","vers":"1.0.0","deps":[],"cksum":"%s","features":{},"yanked":false}\n' \
        "$sum" >"$e2e_dir/www/index/sm/al/small"
    mkdir -p "$e2e_work/crate/src" "$e2e_work/crate/.cargo"
    printf '[registries.here]\nindex = "sparse+http://%s/index/"\n' "$plain" \
        >"$e2e_work/crate/.cargo/config.toml"
    printf '[package]\nname = "user"\nversion = "0.1.0"\nedition = "2018"\n[dependencies]\n%s\n' \
        'small = { version = "1", registry = "here" }' >"$e2e_work/crate/Cargo.toml"
    : >"$e2e_work/crate/src/lib.rs"
}

# Of half a gigabyte, and often of another age: used where somebody has installed it. It knows
# registries like ours since 1.68.
has_cargo() {
    cargo=$(rustup which cargo || command -v cargo) && rust=$(rustup which rustc || command -v rustc) || return 1
    case $("$cargo" --version) in cargo\ 1.[0-9].* | cargo\ 1.[1-5]?.* | cargo\ 1.6[0-7].*) return 1 ;; esac
}

cargo_fetches_when_granted() {
    make_crate
    open_console
    e2e_cwd=$e2e_work/crate # where cargo looks for its configuration
    client one -- env "RUSTC=$rust" "$cargo" fetch
    wants main "http://$plain"
    keys main d
    client_ends one 101
    grep -q 403 "$e2e_dir/one.err"
    forget_denials
    client two -- env "RUSTC=$rust" "$cargo" fetch
    wants main "http://$plain"
    keys main a
    client_ends two 0
    grep -q 'name = "small"' "$e2e_work/crate/Cargo.lock"
    console_stop main
}

test_case git_clones_when_granted
test_case npm_installs_when_granted
test_case_with pip has_pip pip_installs_when_granted
test_case libraries_ask_too
test_case_with requests has_requests python_requests_asks_too
test_case node_fetch_asks_too
test_case node_fetch_asks_over_tls
test_case node_fetch_with_its_own_proxy_support_asks_too
if has_cargo >/dev/null 2>&1; then
    test_case cargo_fetches_when_granted
else
    test_leave_out 'cargo 1.68 or later is not installed' cargo_fetches_when_granted
fi
e2e_end
