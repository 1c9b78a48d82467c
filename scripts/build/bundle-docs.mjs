import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pagesElsewhere } from '../../docs/.vitepress/pages.mjs'
import { defineBuiltFolder } from './built-folder.mjs'
import { compress } from './compress.mjs'
import { listFiles } from './sources.mjs'

/** packages/service/dist/docs, the site that the service has at /docs/. */
export const builtDocs = defineBuiltFolder({
  name: 'docs',
  origins: [
    'docs',
    ...Object.keys(pagesElsewhere),
    'packages/console/public',
    'packages/console/src/styles/tokens.css',
    'scripts/build/run-vitepress.mjs',
    'package-lock.json',
  ],
  async fill(folder) {
    await buildSite(folder, '/docs/')
    await Promise.all(listFiles(folder).map(compress))
  },
})

/** @param {string} folder @param {string} base the path of the site on its server */
export async function buildSite(folder, base) {
  const runVitePress = fileURLToPath(new URL('./run-vitepress.mjs', import.meta.url))
  await promisify(execFile)(process.execPath, [runVitePress, folder, base])
}
