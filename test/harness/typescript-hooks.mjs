import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Vite's own compiler, wherever it is installed.
const requireOfVite = createRequire(createRequire(import.meta.url).resolve('vite'))

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
  const { code } = requireOfVite('esbuild').transformSync(source, {
    loader: 'ts',
    format: 'esm',
    target: 'es2023',
  })
  return { format: 'module', source: code, shortCircuit: true }
}
