import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate, startEmbeddedPostgres } from '../../../packages/service/src/db/index.js'
import { startPostgresOf } from './postgres-version.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server that all tests share. Each test file creates its own database there. */
    postgresUrl: string
    /** A folder for files that must exist until the run ends. */
    runFolder: string
  }
}

export const templateDatabase = 'tallystick_template'

/** Starts a real Postgres in its own folder. */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-test-'))
  // Under root, the server runs as another account, which needs access to the folder.
  await chmod(dataDir, 0o755)
  // `npm run test:postgres` sets it.
  const other = process.env.TEST_POSTGRES_PACKAGE
  const postgres = other
    ? await startPostgresOf(other, dataDir)
    : await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  // No test simulates a crash of this server's machine, so fsync is not needed.
  for (const setting of ['fsync', 'full_page_writes']) await admin.query(`alter system set ${setting} = off`)
  await admin.query('select pg_reload_conf()')
  // Each start of a service opens a dozen connections, and password authentication took most of the time of opening one.
  const { username, password } = new URL(postgres.url)
  await admin.query(`select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'`)
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

/** Starts one server for the whole run, with a migrated template from which databases are copied. */
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
