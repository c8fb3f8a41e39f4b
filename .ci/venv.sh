#!/bin/sh
# Usage: venv.sh FOLDER LOCK
# Makes FOLDER a virtual environment, or brings the one it is up to date, with LOCK's packages and this project in it.
# Needs a Python 3.11 or later and nothing else: where Debian left pip out of it, pip is unpacked without being installed.
set -eu
venv=$1
lock=$2

fail() {
    echo "$1" >&2
    exit 1
}

# The newest proven Python first. A name that exists and does not run (a pyenv shim, macOS's stub) is passed over.
python=
for name in python3.13 python3.12 python3.11 python3.14 python3; do
    if "$name" -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$name
        break
    fi
done
[ -n "$python" ] || fail "Python 3.11 or later was not found. Install it (Debian: apt-get update && apt-get install python3 python3-venv; macOS: brew install python@3.13) and try again."

# Debian ships Python without ensurepip. Its package python3-pip-whl holds pip, and unpacking it needs no administrator.
unpack_pip() {
    sentence="This Python has no pip, and none could be fetched. Install it (Debian: apt-get update && apt-get install python3-venv) and try again."
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail "$sentence"
    (
        mkdir -p "$venv/pip-whl" && cd "$venv/pip-whl"
        apt-get download python3-pip-whl >/dev/null 2>&1 ||
            { apt-get update >/dev/null 2>&1 && apt-get download python3-pip-whl >/dev/null 2>&1; } ||
            fail "$sentence"
        dpkg-deb -x python3-pip-whl_*.deb .
    ) || exit 1
    set -- "$venv"/pip-whl/usr/share/python-wheels/pip-*.whl
    PYTHONPATH=$1 "$venv/bin/python" -m pip install --quiet --ignore-installed "$1"
    rm -rf "$venv/pip-whl"
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$venv"
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        "$python" -m venv "$venv"
    else
        "$python" -m venv --without-pip "$venv"
        unpack_pip
    fi
fi

echo "Installing into $venv with $("$venv/bin/python" --version) (the first time takes a minute) ..."
pip() {
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$venv/bin/python" -m pip "$@" --quiet
}
# Python compiles what is imported by itself: compiling everything here takes longer and fills 50 MB more.
pip install --no-compile --require-hashes --only-binary :all: --requirement "$lock" ||
    fail "The packages could not be installed; see the lines above. Is this machine online?"
# The build backend is one of the locked packages, so nothing is fetched here.
pip install --no-compile --no-deps --no-build-isolation --editable .
echo "Ready: $venv/bin/kems"
