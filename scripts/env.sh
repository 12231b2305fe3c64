# Sourced by the other scripts: paths of tools, and variables for trunk and the browsers.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

# Tools of this repository are installed in .tools, which is not in git.
PATH="$root/.tools/node_modules/.bin:${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
export PATH
export TRUNK_SKIP_VERSION_CHECK=true

have() { type -P "$1" >/dev/null; }

# Prints the number in "wasm-opt version 132 (version_132)", or 0 without wasm-opt.
wasm_opt_version() {
    local words
    read -r -a words <<<"$(wasm-opt --version 2>/dev/null || true)"
    [[ ${words[2]:-} =~ ^[0-9]+ ]] && echo "${BASH_REMATCH[0]}" || echo 0
}

# Prints the path of the browser that chromedriver starts by default.
find_browser() {
    local name
    for name in "${CHROME:-}" chromium google-chrome google-chrome-stable chromium-browser chrome \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        if [[ -n $name ]] && have "$name"; then
            type -P "$name"
            return
        fi
    done
    return 1
}

find_chromedriver() {
    local name
    for name in "${CHROMEDRIVER:-}" chromedriver "${CHROMEWEBDRIVER:-/nowhere}/chromedriver" \
        /usr/lib/chromium/chromedriver /usr/lib/chromium-browser/chromedriver; do
        if [[ -n $name ]] && have "$name"; then
            type -P "$name"
            return
        fi
    done
    return 1
}

find_firefox() {
    local name
    for name in "${FIREFOX:-}" firefox firefox-esr "/Applications/Firefox.app/Contents/MacOS/firefox"; do
        if [[ -n $name ]] && have "$name"; then
            type -P "$name"
            return
        fi
    done
    return 1
}

# Makes trunk use the installed version: it accepts only the exact version in this variable.
use_wasm_opt() {
    local version
    version=$(wasm_opt_version)
    if ((version > 0)); then
        export TRUNK_TOOLS_WASM_OPT="version_$version"
    fi
}

clock() { printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); }

# For tests in a browser: sets its driver, and no proxy for local addresses.
use_browser() {
    CHROMEDRIVER=$(find_chromedriver)
    export CHROMEDRIVER
    export NO_PROXY="127.0.0.1,localhost${NO_PROXY:+,$NO_PROXY}"
    export no_proxy=$NO_PROXY
}
