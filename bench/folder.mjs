import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that goes away with the run. @param {import('./processes.mjs').Cleanup} cleanup */
export async function openFolder(cleanup) {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-bench-'))
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  // Under root the database has an account of its own, which must get through to it.
  await chmod(folder, 0o755)
  return folder
}
