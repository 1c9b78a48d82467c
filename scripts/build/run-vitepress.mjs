// `node run-vitepress.mjs FOLDER BASE` builds the site of the documentation into a folder. A process of its own, as for Vite.
import { join } from 'node:path'
import { build } from 'vitepress'
import { root } from './sources.mjs'

const [outDir = '', base = '/'] = process.argv.slice(2)
await build(`${root}docs`, {
  outDir,
  base,
  // VitePress deletes the folder at its end, and several builds may run at once.
  onAfterConfigResolve(config) {
    config.tempDir = join(config.tempDir, String(process.pid))
  },
})
