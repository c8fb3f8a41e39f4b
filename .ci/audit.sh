#!/bin/sh
# Look the locked packages up among the known vulnerabilities: sh .ci/audit.sh BIN. Status 1 if there are any, 2 if
# nobody could be asked. It needs the network, so it is no part of `make test`.
set -u
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$1"/pip-audit --requirement requirements-dev.txt --require-hashes --disable-pip 2>"$log"
status=$?
if [ "$status" -ne 0 ] && grep -q -e '^requests\.exceptions\.' -e '^urllib3\.exceptions\.' "$log"; then
    echo "The list of known vulnerabilities cannot be reached: is this machine online? Nothing has been checked." >&2
    exit 2
fi
cat "$log" >&2
exit "$status"
