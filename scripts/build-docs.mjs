// Builds the site of the documentation: `npm run docs:build` for the service, which has it at /docs/, when a page has changed.
// `npm run docs:build -- --out FOLDER [--base PATH]` writes it as files for any static server, at the root or below a path.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite, builtDocs } from './build/bundle-docs.mjs'

const { values } = parseArgs({ options: { out: { type: 'string' }, base: { type: 'string' } } })

try {
  if (values.out === undefined) await builtDocs.build()
  else await buildSite(resolve(values.out), values.base ?? '/')
} catch (error) {
  console.error(error instanceof Error && 'stderr' in error ? String(error.stderr) : error)
  process.exitCode = 1
}
