// `node write-api-types.mjs` writes the types of the SDK from the committed OpenAPI document, unless they were written from it before.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @param {string} folder of the package */
export async function writeApiTypes(folder) {
  const target = join(folder, 'src/generated/api.ts')
  const document = readFileSync(join(folder, 'openapi.json'), 'utf8')
  const header = `// Generated from openapi.json (SHA-256 ${createHash('sha256').update(document).digest('hex')}). Do not edit.\n\n`
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(header)) return
  // Loaded only here: the TypeScript compiler takes longer to load than the check above.
  const { default: openapiTypescript, astToString } = await import('openapi-typescript')
  // A member with a default may be left out of a request.
  const source = await openapiTypescript(JSON.parse(document), { defaultNonNullable: false })
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, header + astToString(source))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await writeApiTypes(fileURLToPath(new URL('../../packages/sdk/', import.meta.url)))
