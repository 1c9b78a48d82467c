import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { defineBuiltFolder } from './built-folder.mjs'
import { compress } from './compress.mjs'
import { listFiles } from './sources.mjs'

/** packages/service/dist/console, built from its own files and the package that verifies a record. */
export const builtConsole = defineBuiltFolder({
  name: 'console',
  origins: [
    'packages/console',
    'packages/record/src',
    'packages/sdk/openapi.json',
    'packages/sdk/package.json',
    'packages/sdk/src/portable',
    'package-lock.json',
  ],
  async fill(folder) {
    const runVite = fileURLToPath(new URL('./run-vite.mjs', import.meta.url))
    await promisify(execFile)(process.execPath, [runVite, folder])
    await Promise.all(listFiles(folder).map(compress))
  },
})
