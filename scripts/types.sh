#!/usr/bin/env bash
# Checks the types of the service, the benchmarks, the console and the console's tests, which differ in their globals. Uses
# TypeScript's native compiler; the package `typescript` itself is what other tools call.
set -euo pipefail
node scripts/sdk/write-api-types.mjs
for project in . bench packages/console test/console; do
  node node_modules/typescript-native/bin/tsc -p "$project/tsconfig.json" --noEmit --incremental \
    --tsBuildInfoFile ".cache/types-${project//\//-}.tsbuildinfo"
done
