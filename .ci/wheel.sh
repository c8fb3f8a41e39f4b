#!/bin/sh
# Usage: wheel.sh BIN
# Builds the wheel with the tools in BIN, installs it with its locked packages and without a checkout in sight, and tries
# it; the pages of its sandbox answer.
set -eu
tools=$(cd "$1" && pwd)
folder=$(mktemp -d)
player=
finish() {
    [ -z "$player" ] || kill "$player" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
    echo "The wheel does not work: $1" >&2
    exit 1
}

"$tools/hatchling" build --target wheel --directory "$folder"
"$tools/uv" venv --quiet --no-project --python "$tools/python" "$folder/venv"
install() {
    VIRTUAL_ENV="$folder/venv" "$tools/uv" pip install --quiet "$@"
}
install --require-hashes --requirement requirements.txt
install --no-deps "$folder"/kems_bot-*.whl

cd "$folder"
export DATABASE_URL="sqlite:///$folder/kems.db" PYTHONSAFEPATH=1
kems=$folder/venv/bin/kems
"$kems" --help >/dev/null
"$kems" migrate
"$kems" doctor >doctor.txt || true # no token: its status is 1
grep -q "^ok  .*kems.db" doctor.txt || fail "kems doctor does not find the database: $(cat doctor.txt)"
"$folder/venv/bin/python" -c 'from bot.operating.setup import filled; filled("user")'
"$kems" play --port 0 >played.txt 2>&1 &
player=$!
seconds=0
until address=$(grep -o -m 1 'http://[^ ]*' played.txt); do
    [ "$seconds" -lt 60 ] && kill -0 "$player" 2>/dev/null || fail "kems play gives no address: $(cat played.txt)"
    sleep 1
    seconds=$((seconds + 1))
done
"$folder/venv/bin/python" -c 'import sys, urllib.request as web; assert web.urlopen(sys.argv[1], timeout=10).status == 200' \
    "$address"
kill "$player"
wait "$player" || fail "kems play does not end well: $(cat played.txt)"
player=
echo "The wheel works: $(basename "$folder"/kems_bot-*.whl)"
