#!/usr/bin/env bash
# Everything that is checked without running a test. The checks run side by side, and each says what it found when it is done.
set -uo pipefail
node scripts/check-lockfile.mjs && node scripts/audit.mjs && node scripts/licences.mjs || exit
run() {
  local found code
  found=$("$@" 2>&1)
  code=$?
  [ -z "$found" ] || printf '%s\n' "$found"
  return $code
}
checks=()
for name in lint types rules unused; do
  run npm run --silent "$name" &
  checks+=("$!")
done
failed=0
for check in "${checks[@]}"; do wait "$check" || failed=1; done
exit $failed
