import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

// The start is over by then.
const delayMs = 10_000

/**
 * Builds the site of the documentation when a page has changed, while the service serves. It takes 20 s of a processor, which calls
 * need more. Where the packages for it are not installed, there is no site.
 */
export function buildDocsLater() {
  setTimeout(() => {
    const script = fileURLToPath(new URL('../build-docs.mjs', import.meta.url))
    const child = spawn(process.execPath, [script], { stdio: 'ignore' })
    child.on('error', () => undefined)
    if (child.pid !== undefined) setPriority(child.pid, 19)
    child.unref()
    process.once('exit', () => child.kill())
  }, delayMs).unref()
}
