import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate, startEmbeddedPostgres } from '../../../packages/service/src/db/index.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server that all tests share; each test file makes a database of its own there. */
    postgresUrl: string
    /** For files that stay until the run ends. */
    runFolder: string
  }
}

export const templateDatabase = 'tallystick_template'

/** A real Postgres with a folder of its own. */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-test-'))
  // Under root the server runs as another account, which must be able to enter.
  await chmod(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  // No test takes this server's machine away, so nothing has to reach the disk.
  for (const setting of ['fsync', 'full_page_writes']) await admin.query(`alter system set ${setting} = off`)
  await admin.query('select pg_reload_conf()')
  // Each start of a service opens a dozen connections, and proving that both know the password took longer than all else about one.
  const { username, password } = new URL(postgres.url)
  await admin.query('set scram_iterations = 1')
  await admin.query(`alter role ${username} password '${decodeURIComponent(password)}'`)
  await admin.end()
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** One for the whole run, with a migrated template that databases are copied from. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const everyProject = vitest.getRootProject()
  if ('postgresUrl' in everyProject.getProvidedContext()) return undefined
  const { url, stop } = await startTestPostgres()
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(`create database ${templateDatabase}`)
  await admin.end()
  const template = new URL(url)
  template.pathname = `/${templateDatabase}`
  await migrate(template.href)
  everyProject.provide('postgresUrl', url)
  const runFolder = await mkdtemp(join(tmpdir(), 'tallystick-run-'))
  everyProject.provide('runFolder', runFolder)
  return async () => {
    await stop()
    await rm(runFolder, { recursive: true, force: true })
  }
}
