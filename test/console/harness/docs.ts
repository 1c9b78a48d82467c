import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../harness/service/snippets.js'

/** Builds the site of the documentation if a page changed. Of files that run at the same time, one builds and the others wait. */
export async function buildDocs(): Promise<void> {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  const command = ['npm', 'run', '--silent', 'docs:build']
  await promisify(execFile)('flock', [join(cache, 'docs.lock'), ...command], { cwd: root })
}
