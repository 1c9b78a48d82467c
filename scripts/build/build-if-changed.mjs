import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isBuiltApart } from './built-folder.mjs'
import { builtConsole } from './bundle-console.mjs'
import { dist, hashSources, readSources, root, src } from './sources.mjs'

const stampFile = join(dist, '.build.json')

/** Builds dist/ unless it was built from what is there now. Ends the process when that fails. */
export async function buildIfChanged() {
  try {
    return await build()
  } catch (error) {
    console.error(describe(error))
    process.exit(1)
  }
}

/** @param {unknown} error */
function describe(error) {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return 'Packages are missing: run npm ci'
  // The bundler has printed its own errors.
  return 'errors' in error ? 'The build failed. If a package is missing, run npm ci' : error.message
}

/** @returns {Promise<'built' | 'up to date'>} */
async function build() {
  const sources = readSources()
  const hash = hashSources(sources)
  const isProgramDue = !isUpToDate(hash)
  if (!isProgramDue && !builtConsole.isDue()) return 'up to date'
  const startedMs = performance.now()
  process.stderr.write('Building Tallystick … ')
  await Promise.all([builtConsole.build(), isProgramDue && buildProgram(sources, hash)])
  process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`)
  return 'built'
}

/** @param {{ path: string, text: string }[]} sources @param {string} hash */
async function buildProgram(sources, hash) {
  const { files, packages } = await bundle(sources)
  const paths = files.map(({ path, contents }) => {
    writeAtomically(path, contents)
    return relative(dist, path)
  })
  removeOthers(paths)
  // Last, so that an interrupted build is not taken for a complete one.
  const versions = Object.fromEntries(packages.map((folder) => [folder, readVersion(folder)]))
  writeAtomically(stampFile, JSON.stringify({ hash, files: paths, packages: versions }))
}

/** @param {{ path: string, text: string }[]} sources */
async function bundle(sources) {
  const [{ stop }, { bundleProgram }, { bundleVerifier }] = await loadBundler()
  try {
    const [program, verifier] = await Promise.all([bundleProgram(sources), bundleVerifier()])
    const assets = sources
      .filter(({ path }) => /\.(json|lua)$/.test(path))
      .map(({ path, text }) => ({ path: join(dist, relative(src, path)), contents: text }))
    return { files: [...program.files, ...verifier, ...assets], packages: program.packages }
  } finally {
    // esbuild runs in a process of its own, which waits for more.
    await stop()
  }
}

/** Loaded only when there is something to build: loading takes longer than the check. */
const loadBundler = () =>
  Promise.all([import('esbuild'), import('./bundle-program.mjs'), import('./bundle-verifier.mjs')])

/** @param {string} hash */
function isUpToDate(hash) {
  if (!existsSync(stampFile)) return false
  const stamp = JSON.parse(readFileSync(stampFile, 'utf8'))
  return (
    stamp.hash === hash &&
    Object.entries(stamp.packages).every(([folder, version]) => readVersion(folder) === version) &&
    stamp.files.every((/** @type {string} */ path) => existsSync(join(dist, path)))
  )
}

/** @param {string} folder */
function readVersion(folder) {
  const file = join(root, folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null
}

/** Atomic, because two builds may run at once, and the program may start meanwhile. */
function writeAtomically(/** @type {string} */ path, /** @type {string | Uint8Array} */ contents) {
  const draft = `${path}.${process.pid}.tmp`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, contents)
  renameSync(draft, path)
}

/** What an earlier build left. @param {string[]} paths */
function removeOthers(paths) {
  const wanted = new Set(paths)
  for (const path of paths) for (let up = dirname(path); up !== '.'; up = dirname(up)) wanted.add(up)
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const isKept =
      wanted.has(relative(dist, path)) || path === stampFile || path.endsWith('.tmp') || isBuiltApart(path)
    if (!isKept) rmSync(path, { recursive: true, force: true })
  }
}
