// `node build-typescript.mjs [FOLDER]` builds the TypeScript SDK into dist/: modules that need nothing but a web platform, and their
// declarations. FOLDER is the package, where it is not the one of this repository. `npm pack` calls it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { nodeShims } from '../../packages/sdk/node-shims.mjs'
import { writeApiTypes } from './write-api-types.mjs'

const [given] = process.argv.slice(2)
const folder = given ? resolve(given) : fileURLToPath(new URL('../../packages/sdk/', import.meta.url))
const src = join(folder, 'src')
const dist = join(folder, 'dist')

await writeApiTypes(folder)
rmSync(dist, { recursive: true, force: true })
await build({
  absWorkingDir: folder,
  entryPoints: { index: join(src, 'index.ts'), 'verify/index': join(src, 'verify/index.ts') },
  outdir: dist,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  // Whatever is not part of the web platform is an error here: no runtime is named.
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'es2022',
  conditions: ['tallystick-source'],
  alias: nodeShims,
  inject: [nodeShims['node:buffer']],
  logLevel: 'warning',
})
writeDeclarations('')
writeFileSync(join(dist, 'generated/api.js'), 'export {}\n')

/** Declares each module for itself. `npm run types` has checked them together. @param {string} below */
function writeDeclarations(below) {
  for (const entry of readdirSync(join(src, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.isDirectory()) {
      if (path !== 'portable') writeDeclarations(path)
    } else if (path.endsWith('.ts') && !path.endsWith('.test.ts')) {
      const target = join(dist, path.replace(/\.ts$/, '.d.ts'))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, declare(path))
    }
  }
}

/** @param {string} path */
function declare(path) {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(join(src, path), 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { isolatedDeclarations: true, strict: true, target: ts.ScriptTarget.ES2022 },
  })
  if (diagnostics.length > 0)
    throw new Error(`${path}: ${diagnostics.map(({ messageText }) => messageText).join('; ')}`)
  return outputText
}
