// Lets Node load the sources as they are: every `.js` that is really a `.ts` is compiled while it loads. Written so that Node
// may call it either way, in its own thread (`registerHooks`) or in one beside it (`register`).
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

/** @type {import('node:module').ResolveHookSync} */
export function resolve(specifier, context, next) {
  const ownPackage = /^@tallystick\/(record|sdk)(?:\/(\w+))?$/.exec(specifier)
  if (ownPackage) {
    const [, name, folder] = ownPackage
    return next(
      new URL(`../packages/${name}/src/${folder ? `${folder}/` : ''}index.ts`, import.meta.url).href,
      context,
    )
  }
  if (!/^(\.{1,2}\/|file:).*\.js$/.test(specifier)) return next(specifier, context)
  const source = new URL(`${specifier.slice(0, -3)}.ts`, context.parentURL)
  return next(existsSync(source) ? source.href : specifier, context)
}

/** @type {import('node:module').LoadHookSync} */
export function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const path = fileURLToPath(url)
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcefile: path,
  })
  return { format: 'module', source: code, shortCircuit: true }
}
