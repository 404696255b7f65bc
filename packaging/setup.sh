# Sourced by packaging/run and packaging/test: everything they need, quick when nothing is missing.
#
#   setup_system WORD…   system libraries and fonts; WORD "test" adds a virtual display
#   setup_python EXTRA   the virtual environment .venv with hfviewer in it; EXTRA is "" or "[dev]"
#
# Debian and Ubuntu only, by apt, as root or with sudo. Elsewhere it says what is missing.

set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV="$ROOT/.venv"

say() { printf '%s\n' "packaging: $*" >&2; }
die() { say "$*"; exit 2; }

# What each library file comes in. The file is what is looked for: package names differ between releases.
LIBRARIES="
libGL.so.1=libgl1
libEGL.so.1=libegl1
libxkbcommon.so.0=libxkbcommon0
libglib-2.0.so.0=libglib2.0-0
libfontconfig.so.1=libfontconfig1
libdbus-1.so.3=libdbus-1-3
libxcb-cursor.so.0=libxcb-cursor0
libxcb-icccm.so.4=libxcb-icccm4
libxcb-keysyms.so.1=libxcb-keysyms1
libxcb-shape.so.0=libxcb-shape0
libxkbcommon-x11.so.0=libxkbcommon-x11-0
"
# Inter and JetBrains Mono are the fonts of the design; the third one has Chinese names of streams and folders.
FONTS="fonts-inter fonts-jetbrains-mono fonts-wqy-microhei"

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo "$@"
    else
        return 1
    fi
}

has_package() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
    [ $# -gt 0 ] || return 0
    local line="apt-get install -y --no-install-recommends $*"
    command -v apt-get >/dev/null 2>&1 ||
        die "missing here: $*. Install what your system calls these, then run this again."
    say "installing $*"
    as_root true 2>/dev/null ||
        die "packages are missing and there is no way to become root. Run: sudo $line"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 ||
        say "apt-get update had trouble; trying all the same"
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive $line -qq >&2 || die "this failed: $line"
}

# Without them other fonts serve; nothing stops for their sake.
install_fonts() {
    local font missing=()
    command -v dpkg-query >/dev/null 2>&1 || return 0
    for font in $FONTS; do has_package "$font" || missing+=("$font"); done
    [ ${#missing[@]} -gt 0 ] && [ ! -e "$VENV/hfviewer-without-fonts" ] || return 0
    if ! (install_packages "${missing[@]}"); then
        say "going on without the fonts ${missing[*]}"
        mkdir -p "$VENV" && touch "$VENV/hfviewer-without-fonts"
    fi
}

setup_system() {
    local missing=() known pair word
    known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null || true)
    for pair in $LIBRARIES; do
        case "$known" in
        *"${pair%%=*} "*) ;;
        *) missing+=("${pair##*=}") ;;
        esac
    done
    for word in "$@"; do
        if [ "$word" = test ]; then
            command -v xvfb-run >/dev/null 2>&1 || missing+=(xvfb)
            command -v xauth >/dev/null 2>&1 || missing+=(xauth)
        fi
    done
    install_packages "${missing[@]}"
    install_fonts
}

find_python() {
    local candidate
    for candidate in "${HFVIEWER_PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

setup_python() {
    local extra=$1 python stamp wanted
    wanted="$extra $(cksum <"$ROOT/pyproject.toml")"
    stamp="$VENV/hfviewer-setup"
    # The test environment holds all that running needs, so going from one to the other costs nothing.
    if [ -x "$VENV/bin/hfviewer" ] && [ -x "$VENV/bin/python" ] && [ -f "$stamp" ]; then
        case "$(cat "$stamp")" in
        "$wanted" | "[dev] $(cksum <"$ROOT/pyproject.toml")") return ;;
        esac
    fi
    if ! python=$(find_python); then
        install_packages python3 python3-venv
        python=$(find_python) || die "Python 3.11 or newer is needed; $(python3 --version 2>&1 || echo none) is here."
    fi
    if ! "$python" -c 'import ensurepip' 2>/dev/null; then
        install_packages "python$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv"
    fi
    if ! [ -x "$VENV/bin/python" ]; then
        say "making .venv"
        "$python" -m venv --clear "$VENV"
    fi
    say "installing hfviewer and what it needs into .venv (once; some minutes)"
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check -e "$ROOT$extra" >&2 ||
        die "the Python packages could not be installed; see above."
    printf '%s' "$wanted" >"$stamp"
}
