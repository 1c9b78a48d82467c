import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { renameDurably } from '../../../shared/durable-files.js'
import { hasCode } from '../../../shared/error-code.js'
import { isAlive } from '../server/process-identity.js'

/** No build takes longer, so a scratch folder older than this belongs to nobody. */
export const BUILD_TIMEOUT_MS = 180_000

const SCRATCH_PREFIX = '.build-'

/**
 * Makes `target` appear complete or not at all: `build` works in a scratch folder beside it and
 * returns the finished folder, which is renamed into place. Of two builders at once the first
 * rename wins and the other's work is thrown away.
 */
export async function buildFolder(
  target: string,
  build: (scratch: string) => Promise<string>,
): Promise<void> {
  const parent = dirname(target)
  await sweepLeftovers(parent)
  const scratch = await mkdtemp(join(parent, `${SCRATCH_PREFIX}${process.pid}-`))
  try {
    await renameDurably(await build(scratch), target)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  } finally {
    await discard(scratch)
  }
}

async function sweepLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(SCRATCH_PREFIX)) continue
    const path = join(parent, name)
    const builderPid = Number.parseInt(name.slice(SCRATCH_PREFIX.length), 10)
    const info = await stat(path).catch(() => undefined)
    if (info === undefined) continue
    // A container gives its processes the same few pids each time, hence the age as a second sign.
    if (!isAlive(builderPid) || Date.now() - info.mtimeMs > BUILD_TIMEOUT_MS) await discard(path)
  }
}

/** The child of a killed builder may go on writing for a moment; what stays is swept by the next build. */
async function discard(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined)
}
