import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { dist, root } from './sources.mjs'

/** `tallystick verify` in a folder of its own, dist/verifier, that needs nothing but Node. Not minified: people will read it. */
export async function bundleVerifier() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `import { verify } from './src/cli/verify/main.ts'
process.exitCode = await verify(process.argv.slice(2))`,
      resolveDir: root,
    },
    outfile: join(dist, 'verifier/tallystick-verify.js'),
    banner: { js: '#!/usr/bin/env node' },
    write: false,
    bundle: true,
    // They stay imports, and are refused below.
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    metafile: true,
    logLevel: 'warning',
  })
  for (const { imports } of Object.values(metafile.inputs))
    for (const { path, external } of imports)
      if (external && !isBuiltin(path)) throw new Error(`The verifier must stand alone, and imports ${path}`)
  const settings = { path: join(dist, 'verifier/package.json'), contents: '{ "type": "module" }\n' }
  return [...outputFiles, settings]
}
