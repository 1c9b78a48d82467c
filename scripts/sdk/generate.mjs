// Writes what follows from the committed OpenAPI document in both SDKs. `npm run openapi` calls it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOperations } from './operations.mjs'
import { writeMethods } from './python/write-methods.mjs'
import { writeSync } from './python/write-sync.mjs'
import { writeTypes } from './python/write-types.mjs'
import { writeApiTypes } from './write-api-types.mjs'
import { writeTypeScript } from './write-typescript.mjs'

export const root = new URL('../../', import.meta.url)
const python = 'packages/python/src/tallystick/'

/** The committed files that are generated: each with its path from the root of the repository. */
export function generate() {
  const document = JSON.parse(readFileSync(new URL('packages/sdk/openapi.json', root), 'utf8'))
  const operations = readOperations(document)
  return new Map([
    ['packages/sdk/src/generated/operations.ts', writeTypeScript(operations)],
    [`${python}types.py`, writeTypes(document.components.schemas)],
    [`${python}_async_methods.py`, writeMethods(operations, true)],
    [`${python}_sync_methods.py`, writeMethods(operations, false)],
    ...['transport.py', 'streams.py'].map(writeSyncModule),
  ])
}

/** @param {string} name @returns {[string, string]} */
function writeSyncModule(name) {
  const source = readFileSync(new URL(`${python}_async_${name}`, root), 'utf8')
  return [`${python}_sync_${name}`, writeSync(`_async_${name}`, source)]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of generate()) writeFileSync(new URL(path, root), text)
  await writeApiTypes(fileURLToPath(new URL('packages/sdk/', root)))
}
