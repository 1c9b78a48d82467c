import { cpSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(new URL('../../../packages/service/migrations/', import.meta.url))

/** Creates the migrations of a newer version: those of this program, and more. */
export async function createNewerMigrations(
  more: Record<string, string>,
): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-migrations-'))
  cpSync(own, folder, { recursive: true })
  for (const [name, sql] of Object.entries(more)) writeFileSync(join(folder, name), sql)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
