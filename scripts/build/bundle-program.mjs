import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { keepOwnMappings } from './own-mappings.mjs'
import { dist, findCode, root, service, src } from './sources.mjs'

// `pg-native` is optional and not installed.
// `cookie` is CommonJS that another package imports later, by name: bundled, it would have a default export alone.
const external = ['pg-native', 'cookie']

// The API reference reads its script next to its modules. A copy is in dist/reference.
const reference = realPath(join(root, 'node_modules/@scalar/fastify-api-reference/dist'))
const referenceScript = 'js/standalone.js'

// CommonJS packages call `require` for Node's own modules.
const banner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"

const moduleUrl = /new URL\('(\.[^']*\.m?js)', import\.meta\.url\)|import\.meta\.url/g

/**
 * The program with its packages: `cli/index.js`, one file in `threads/` for each worker thread, and shared code in `chunks/`.
 * Every file lies one folder deep, so that `../` is dist/ from each of them.
 * @param {{ path: string, text: string }[]} sources
 */
export async function bundleProgram(sources) {
  const located = sources.filter(({ text }) => text.includes('import.meta.url'))
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { 'cli/index': join(src, 'main/cli/index.ts'), ...findThreads(located) },
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external,
    conditions: ['tallystick-source'],
    banner: { js: banner },
    // Less to read and parse at every start. Names stay, for stacks and profiles.
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [keepLocations(located.map(({ path }) => path))],
  })
  const files = outputFiles.map(({ path, contents, text }) => ({
    path,
    contents: path.endsWith('.map') ? keepOwnMappings(text) : contents,
  }))
  refuseUndeclared(metafile)
  const copied = {
    path: join(dist, 'reference', referenceScript),
    contents: readFileSync(join(reference, referenceScript)),
  }
  return { files: [...files, copied], packages: listPackages(Object.keys(metafile.inputs)) }
}

/** The bundler names modules by their real paths, and packages may be links. @param {string} path */
function realPath(path) {
  return existsSync(path) ? realpathSync(path) : path
}

/** Native packages that are used where somebody installed them. */
const optional = ['pg-native', 'bufferutil', 'utf-8-validate']

/** What is not bundled must be installed with the program. @param {import('esbuild').Metafile} metafile */
function refuseUndeclared({ outputs }) {
  const { dependencies } = JSON.parse(readFileSync(join(service, 'package.json'), 'utf8'))
  const isFound = (/** @type {string} */ path) =>
    isBuiltin(path) || path.startsWith('node:') || optional.includes(path) || path in dependencies
  for (const { path, external } of Object.values(outputs).flatMap(({ imports }) => imports))
    if (external && !isFound(path))
      throw new Error(
        `The program imports ${path}, which is neither bundled nor a dependency of packages/service`,
      )
}

/** Worker threads are started from a URL, which esbuild does not follow. @param {{ path: string, text: string }[]} sources */
function findThreads(sources) {
  /** @type {Record<string, string>} */
  const threads = {}
  for (const { path, text } of sources) {
    for (const [, specifier] of text.matchAll(moduleUrl)) {
      const code = specifier && findCode(resolve(dirname(path), specifier))
      if (code) threads[`threads/${threadName(code)}`] = code
    }
  }
  return threads
}

/** @param {string} path */
const threadName = (path) => relative(src, path).slice(0, -extname(path).length).replaceAll(sep, '-')

/**
 * A module that reads a file next to itself would search next to the bundle. Its `import.meta.url` becomes the place that it
 * would have in dist/, where data files are copied to.
 * @param {string[]} paths @returns {import('esbuild').Plugin}
 */
function keepLocations(paths) {
  const own = paths.map((path) => `^${escapePattern(path)}$`)
  const filter = new RegExp([...own, `^${escapePattern(reference)}.*\\.js$`].join('|'))
  return {
    name: 'keep-locations',
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => {
        const isOwn = path.startsWith(src + sep)
        const place = join('..', isOwn ? relative(src, path) : join('reference', basename(path)))
        const contents = readFileSync(path, 'utf8').replaceAll(moduleUrl, (_, specifier) => {
          const code = specifier && findCode(resolve(dirname(path), specifier))
          if (code) return `new URL('../threads/${threadName(code)}.js', import.meta.url)`
          const url = `new URL('${place.replaceAll(sep, '/')}', import.meta.url).href`
          return specifier ? `new URL('${specifier}', ${url})` : url
        })
        return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' }
      })
    },
  }
}

/** @param {string} text */
const escapePattern = (text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** The folders of the packages that the files come from. @param {string[]} paths */
function listPackages(paths) {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders)].sort()
}
