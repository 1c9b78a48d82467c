#!/usr/bin/env bash
# Everything that is checked without running a test.
set -euo pipefail
node scripts/check-lockfile.mjs
node scripts/audit.mjs
npm run --silent lint
npm run --silent types &
types=$!
npm run --silent rules
npm run --silent unused
wait "$types"
