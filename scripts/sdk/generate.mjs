// Writes what follows from the committed OpenAPI document in both SDKs. `npm run openapi` calls it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOperations } from './operations.mjs'
import { writeApiTypes } from './write-api-types.mjs'
import { writeTypeScript } from './write-typescript.mjs'

export const root = new URL('../../', import.meta.url)

/** The committed files that are generated: each with its path from the root of the repository. */
export function generate() {
  const document = JSON.parse(readFileSync(new URL('packages/sdk/openapi.json', root), 'utf8'))
  const operations = readOperations(document)
  return new Map([['packages/sdk/src/generated/operations.ts', writeTypeScript(operations)]])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of generate()) writeFileSync(new URL(path, root), text)
  await writeApiTypes(fileURLToPath(new URL('packages/sdk/', root)))
}
