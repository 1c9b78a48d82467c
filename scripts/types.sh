#!/usr/bin/env bash
# The service, what measures it, the console and its tests, whose globals differ. By TypeScript's native compiler; `typescript` itself is what other tools call.
set -euo pipefail
for project in . bench console test/console; do
  node node_modules/typescript-native/bin/tsc -p "$project/tsconfig.json" --noEmit --incremental \
    --tsBuildInfoFile ".cache/types-${project//\//-}.tsbuildinfo"
done
