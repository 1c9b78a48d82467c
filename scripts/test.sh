#!/usr/bin/env bash
# Everything that CI runs. The checks run beside the build and the first tests, which wait more than they work; what the checks
# found is printed when they are done, and both must pass.
set -uo pipefail
(
  found=$(bash scripts/check.sh 2>&1)
  code=$?
  printf '\n%s\nchecks: %s\n\n' "$found" "$([ $code -eq 0 ] && echo passed || echo FAILED)"
  exit $code
) &
checks=$!
npm run --silent build && vitest run "$@"
tests=$?
wait "$checks"
checked=$?
[ $checked -eq 0 ] || echo 'The checks failed: see above.' >&2
exit $((tests != 0 ? tests : checked))
