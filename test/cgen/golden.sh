#!/bin/bash
# golden.sh [--update] FOLDER - compares what tile-cgen made of the toy dialect in FOLDER with golden/; --update takes it over.
set -uo pipefail
update=false
[ "$1" = --update ] && update=true && shift
golden=$(dirname "${BASH_SOURCE[0]}")/golden
status=0
for file in Toy.h Toy.capi.cpp.inc ToyPasses.h ToyPasses.capi.cpp.inc OpKind.h; do
  made=$(find "$1" -name "$file" -print -quit)
  if $update; then
    cp "$made" "$golden/$file"
  elif ! diff -u "$golden/$file" "$made"; then
    status=1
  fi
done
[ $status = 0 ] || echo "golden.sh: if this is meant: test/cgen/golden.sh --update $1" >&2
exit $status
