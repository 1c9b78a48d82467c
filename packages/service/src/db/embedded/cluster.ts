import { createHash, randomBytes } from 'node:crypto'
import {
  access,
  chown,
  lstat,
  readdir,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../shared/durable-files.js'
import { hasCode } from '../../shared/error-code.js'
import { type Account, canEnter, ensureEnterable } from './account/account.js'
import { runProgram } from './account/run-program.js'
import type { Binaries } from './binaries/binaries.js'
import { BUILD_TIMEOUT_MS, buildFolder } from './binaries/build-folder.js'
import { ensurePassword } from './password.js'

/** The folder for files that the unprivileged account cannot reach in the data directory. */
export const SHARED_DIR = '/var/lib/tallystick'

interface ClusterOptions {
  dataDir: string
  binaries: Binaries
  account: Account | undefined
  log: (message: string) => void
}

/** Returns the real path of a complete Postgres data directory, creating it if there is none yet. */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { dataDir, account } = options
  const postgresDir = join(dataDir, 'postgres')
  if (!(await isCluster(postgresDir))) {
    await refuseLostCluster(postgresDir)
    if (await canEnter(dataDir, account)) await createCluster(postgresDir, options)
    else await createElsewhere(postgresDir, options)
  }
  const directory = await realpath(postgresDir)
  await giveToAccount(directory, account)
  return directory
}

/** Returns whether the data directory has a database. Also true for a database that is lost, which `ensureCluster` reports. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  const postgresDir = join(dataDir, 'postgres')
  if (await isCluster(postgresDir)) return true
  const info = await lstat(postgresDir).catch(() => undefined)
  return info?.isSymbolicLink() ?? false
}

/** `initdb` writes PG_VERSION; a folder without it is not a database. */
async function isCluster(path: string): Promise<boolean> {
  return access(join(path, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

/** The symlink is created after its target, so a broken symlink means that the data was there and is lost. */
async function refuseLostCluster(postgresDir: string): Promise<void> {
  const info = await lstat(postgresDir).catch(() => undefined)
  if (!info?.isSymbolicLink()) return
  throw new Error(
    `The database of this folder was in ${await readlink(postgresDir)}, and is gone. ` +
      `Restore it, or delete the symlink ${postgresDir} to start with an empty one.`,
  )
}

async function createCluster(target: string, options: ClusterOptions): Promise<void> {
  const { dataDir, binaries, account } = options
  const password = await ensurePassword(dataDir)
  await buildFolder(target, async (scratch) => {
    const directory = join(scratch, 'data')
    const passwordFile = join(scratch, 'password')
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (account !== undefined) {
      await chown(passwordFile, account.uid, account.gid)
      await chown(scratch, account.uid, account.gid)
    }
    const run = { account, timeoutMs: BUILD_TIMEOUT_MS / 2 }
    await runProgram({
      ...run,
      program: binaries.initdb,
      args: [
        `--pgdata=${directory}`,
        '--username=tallystick',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        // This locale compares by code point, so that indexes do not depend on the version of a C library, and it classifies letters.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
    })
    // The database is created before the folder gets its final name, so that a process that finds the server also finds its database.
    await runProgram({
      ...run,
      program: binaries.postgres,
      args: ['--single', '-D', directory, '-c', 'exit_on_error=on', 'postgres'],
      input: 'CREATE DATABASE tallystick\n',
    })
    return directory
  })
}

async function createElsewhere(postgresDir: string, options: ClusterOptions): Promise<void> {
  const { dataDir, account, log } = options
  await ensureEnterable(SHARED_DIR, account)
  const hash = createHash('sha256').update(await realpath(dataDir))
  const prefix = `data-${hash.digest('hex').slice(0, 12)}-`
  const older = (await readdir(SHARED_DIR)).filter((name) => name.startsWith(prefix))
  // Older data is not used again: the data directory may have moved and still use it, or was deleted to start with an empty database.
  if (older.length > 0) log(`older data of ${dataDir} remains in ${SHARED_DIR}: ${older.join(', ')}`)

  const target = join(SHARED_DIR, `${prefix}${randomBytes(4).toString('hex')}`)
  await createCluster(target, options)
  try {
    await symlink(target, postgresDir)
  } catch (error) {
    await rm(target, { recursive: true, force: true })
    // Another process did the same at the same time, and its database is used.
    if (hasCode(error, 'EEXIST')) return
    throw error
  }
  await syncFolder(dataDir)
  log(`the database is in ${target}, because ${account?.name} cannot enter ${dataDir}`)
}

/** Makes the account the owner of a directory that root restored, for example from a backup. */
async function giveToAccount(directory: string, account: Account | undefined): Promise<void> {
  if (account === undefined) return
  if ((await stat(directory)).uid === 0) {
    const owner = `${account.uid}:${account.gid}`
    await runProgram({
      program: 'chown',
      args: ['-R', owner, directory],
      account: undefined,
      timeoutMs: BUILD_TIMEOUT_MS,
    })
  }
  if (await canEnter(directory, account)) return
  throw new Error(
    `Postgres runs as ${account.name}, which owns ${directory} but cannot enter a folder above it.`,
  )
}
