// Lets Node load the sources as they are: every `.js` that is really a `.ts` is compiled while it loads.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context)
  } catch (error) {
    if (!specifier.endsWith('.js')) throw error
    return await next(`${specifier.slice(0, -3)}.ts`, context)
  }
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return await next(url, context)
  const source = await readFile(fileURLToPath(url), 'utf8')
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcefile: fileURLToPath(url),
  })
  return { format: 'module', source: code, shortCircuit: true }
}
