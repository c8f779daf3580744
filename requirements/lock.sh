#!/bin/sh
# Renews the lock files: `sh requirements/lock.sh`, with `uv` installed; add `--upgrade` to take newer versions.
# Every file of a version is hashed, for Linux and macOS and Python 3.11 and later; no address of an index is kept.
set -eu
cd "$(dirname "$0")"
lock() {
    out=$1
    shift
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-annotate --no-header --output-file "$out" "$@"
}
lock test.txt "$@" ../pyproject.toml --extra all --extra dev build.in test.in
lock peers.txt "$@" peers.in --constraint test.txt
lock build.txt "$@" build.in --constraint test.txt
lock run.txt "$@" ../pyproject.toml --extra web --extra draw --extra pdf --extra simulation --constraint test.txt
lock image.txt "$@" ../pyproject.toml --extra web --extra draw --extra pdf --extra simulation --extra postgresql --constraint test.txt
lock bare.txt "$@" bare.in --constraint test.txt
lock maps.txt "$@" maps.in --constraint test.txt
