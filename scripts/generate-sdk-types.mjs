// `node generate-sdk-types.mjs [FOLDER]` writes the types of the SDK from the committed OpenAPI document, unless they were written from
// it before. FOLDER is the package, where it is not the one of this repository.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [given] = process.argv.slice(2)
const folder = given ? pathToFileURL(`${resolve(given)}/`) : new URL('../packages/sdk/', import.meta.url)
const target = fileURLToPath(new URL('src/generated/api.ts', folder))
const document = readFileSync(new URL('openapi.json', folder), 'utf8')
const header = `// Generated from openapi.json (SHA-256 ${createHash('sha256').update(document).digest('hex')}). Do not edit.\n\n`

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(header)) {
  // Loaded only here: the TypeScript compiler takes longer to load than the check above.
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  // A member with a default may be left out of a request.
  const source = await openapiTypescript(JSON.parse(document), { defaultNonNullable: false })
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, header + astToString(source))
}
