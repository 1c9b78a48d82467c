import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { dist, listFiles, root } from './sources.mjs'

const run = promisify(execFile)
const folder = join(dist, 'console')
const stampFile = join(folder, '.build.json')

/** What the console is built from: its own files, and the package that verifies a record. */
const origins = [
  'packages/console',
  'packages/record/src',
  'packages/sdk/openapi.json',
  'packages/sdk/package.json',
  'packages/sdk/src/portable',
  'package-lock.json',
]

/** Whether packages/service/dist/console was built from something else than what is there now. */
export const isConsoleDue = (hash = hashConsole()) =>
  !existsSync(stampFile) || JSON.parse(readFileSync(stampFile, 'utf8')).hash !== hash

/** Builds packages/service/dist/console where it is due. */
export async function buildConsole() {
  const hash = hashConsole()
  if (!isConsoleDue(hash)) return
  // Beside the one that is served, so that no page finds half of it.
  const draft = `${folder}.${process.pid}.tmp`
  mkdirSync(dist, { recursive: true })
  await run(process.execPath, [fileURLToPath(new URL('./run-vite.mjs', import.meta.url)), draft])
  await Promise.all(listFiles(draft).map(compress))
  writeFileSync(join(draft, '.build.json'), JSON.stringify({ hash }))
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
}

function hashConsole() {
  const hash = createHash('sha256')
  const files = origins.flatMap((path) =>
    /\.\w+$/.test(path) ? [join(root, path)] : listFiles(join(root, path)),
  )
  for (const path of files)
    if (!path.endsWith('.test.ts'))
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0')
  return hash.digest('hex')
}

const compressible = /\.(js|css|html|svg|json|txt)$/

/** Once here, rather than for every visitor. @param {string} path */
async function compress(path) {
  if (!compressible.test(path)) return
  const contents = readFileSync(path)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(contents, { level: 9 }),
  ])
  writeFileSync(`${path}.br`, br)
  writeFileSync(`${path}.gz`, gz)
}

/** Whether a file of dist/ belongs to the console, which is built apart. @param {string} path */
export const isOfConsole = (path) => relative(dist, path).split(/[/\\]/)[0]?.startsWith('console') === true
