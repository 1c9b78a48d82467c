import { join } from 'node:path'
import { build } from 'esbuild'
import { dist, root } from './sources.mjs'

/** `tallystick verify` in a folder of its own, packages/service/dist/verifier, that needs nothing but Node. Not minified: people will read it. */
export async function bundleVerifier() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `import { verify } from './packages/service/src/main/cli/verify/main.ts'
process.exitCode = await verify(process.argv.slice(2))`,
      resolveDir: root,
    },
    outfile: join(dist, 'verifier/tallystick-verify.js'),
    banner: { js: '#!/usr/bin/env node' },
    write: false,
    bundle: true,
    conditions: ['tallystick-source'],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    metafile: true,
    logLevel: 'warning',
  })
  const installed = Object.keys(metafile.inputs).find((path) => path.includes('node_modules/'))
  if (installed) throw new Error(`The verifier must stand alone, and imports ${installed}`)
  const settings = { path: join(dist, 'verifier/package.json'), contents: '{ "type": "module" }\n' }
  return [...outputFiles, settings]
}
