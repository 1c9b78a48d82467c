#!/usr/bin/env bash
# Everything that is checked without running a test. Types take longest, and one core.
set -euo pipefail
npm run --silent lint
npm run --silent types &
types=$!
npm run --silent rules
npm run --silent unused
wait "$types"
