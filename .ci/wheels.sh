#!/bin/sh
# Usage: wheels.sh BIN
# Says whether every locked package has a wheel for each machine and each Python that a release is for, with the uv in
# BIN. It needs the network, and installs nothing. Status 1 if one is missing.
set -u
missing=0
for machine in x86_64 aarch64; do
    for version in 3.11 3.12 3.13 3.14; do
        if "$1/uv" pip install --dry-run --quiet --target /nowhere --python-platform "$machine-unknown-linux-gnu" \
            --python-version "$version" --only-binary :all: --no-deps --require-hashes --requirement requirements.txt; then
            echo "ok  $machine, Python $version"
        else
            echo "!!  $machine, Python $version: a wheel is missing, see above"
            missing=1
        fi
    done
done
exit "$missing"
