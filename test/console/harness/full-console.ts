import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { programPath, startServiceProcess } from '../../harness/processes/process.js'
import { replaceFile } from '../../harness/processes/replace-file.js'
import { templateDatabase } from '../../harness/run/postgres-setup.js'
import { isSoak } from '../../harness/run/soak.js'
import { waitFor } from '../../harness/run/wait.js'
import { createApi } from '../../harness/service/api.js'
import { chromiumPath } from './browser.js'

/** A service with a tenant full of plausible life, and who may look at it. */
export interface FullConsole {
  address: string
  keys: Record<Role, string>
}

export const roles = ['manager', 'auditor', 'member'] as const
export type Role = (typeof roles)[number]

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds a `FullConsole` once it is full. */
    fullConsoleFile: string
  }
}

// Enough for pages in every list and days in every plot. Making ten times as many takes a minute and a half of processor time.
const calls = Number(process.env.CONSOLE_CALLS ?? (isSoak ? 100_000 : 10_000))
const tenant = 'demo'
const run = promisify(execFile)

/** Made once for the whole run, beside the first tests of others, because it takes a while; the tests that share it only look. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (chromiumPath === undefined) {
    if (process.env.CI) throw new Error('There is no chromium, and CI skips nothing: install it')
    return undefined
  }
  const { postgresUrl } = project.vitest.getRootProject().getProvidedContext()
  const url = new URL(postgresUrl)
  const name = `console_${randomBytes(4).toString('hex')}`
  const admin = new pg.Client(postgresUrl)
  await admin.connect()
  await admin.query(`create database ${name} template ${templateDatabase}`)
  url.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-console-'))
  const answerFile = join(dataDir, 'full-console.json')
  const env = {
    PATH: process.env.PATH ?? '',
    DATABASE_URL: url.href,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_LOG_LEVEL: 'warn',
  }
  const service = await startServiceProcess(env)
  const ending = new AbortController()
  const filling = fill(url.href, env, service.address, ending.signal).then(
    (full) => replaceFile(answerFile, JSON.stringify(full)),
    (error: unknown) => replaceFile(answerFile, JSON.stringify({ error: String(error) })),
  )
  project.provide('fullConsoleFile', answerFile)
  return async () => {
    ending.abort()
    await filling
    await service.end('SIGKILL')
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function fill(
  databaseUrl: string,
  env: Record<string, string>,
  address: string,
  signal: AbortSignal,
): Promise<FullConsole> {
  const command = (...args: string[]) =>
    run(process.execPath, [programPath, ...args], { env, maxBuffer: 1e8, signal })
  await command('demo', `--calls=${calls}`)
  const database = new pg.Client(databaseUrl)
  await database.connect()
  const { rows } = await database.query<{ user_id: string }>(
    'select user_id from members where removed_at is null and user_id in (select user_id from calls) and role = $1 order by user_id limit 1',
    ['member'],
  )
  await database.end()
  const { stdout } = await command('key', 'create', '--tenant', tenant, '--role', 'manager')
  const manager = /tallystick_sk_\w+/.exec(stdout)?.[0] ?? ''
  const { post } = createApi(address, manager)
  const newKey = async (role: Role, userId?: string) =>
    (await post('/v1/keys', { name: `${role} of the tests`, role, ...(userId && { userId }) })).body.key
  return {
    address,
    keys: { manager, auditor: await newKey('auditor'), member: await newKey('member', rows[0]?.user_id) },
  }
}

/** Waits until it is full. */
export async function fullConsole(): Promise<FullConsole> {
  const file = inject('fullConsoleFile')
  const text = await waitFor('the demo to be filled', () => readFile(file, 'utf8').catch(() => null))
  const full: FullConsole & { error?: string } = JSON.parse(text)
  if (full.error !== undefined) throw new Error(full.error)
  return full
}
