import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseAccount } from '../../../packages/service/src/db/embedded/account/account.js'
import { runProgram } from '../../../packages/service/src/db/embedded/account/run-program.js'
import { prepareBinaries } from '../../../packages/service/src/db/embedded/binaries/binaries.js'
import { launchServer } from '../../../packages/service/src/db/embedded/server/launch.js'
import { findServer } from '../../../packages/service/src/db/embedded/server/pid-file.js'
import { waitFor } from './wait.js'

const password = 'test'
// Since PostgreSQL 17, as the bundled database has it. Before, C is the nearest.
const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']

/** Starts a server of another version, whose npm package is in this folder. */
export async function startPostgresOf(packageDir: string, dataDir: string) {
  const account = await chooseAccount(join(dataDir, 'postgres'))
  const binaries = await prepareBinaries({ packageDir, copiesDir: dataDir, account, log: () => undefined })
  const directory = join(dataDir, 'postgres')
  const passwordFile = join(dataDir, 'password')
  await mkdir(directory, { mode: 0o700 })
  await writeFile(passwordFile, password)
  if (account) for (const path of [directory, passwordFile]) await chown(path, account.uid, account.gid)
  const args = [
    `--pgdata=${directory}`,
    '--username=tallystick',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ]
  const isBefore17 = /[/\\]postgres-1[56]\./.test(packageDir)
  await runProgram({
    program: binaries.initdb,
    args: [...args, '--encoding=UTF8', '--locale=C', ...(isBefore17 ? [] : builtinLocale)],
    account,
    timeoutMs: 120_000,
  })
  const logPath = join(dataDir, 'postgres.log')
  const launch = await launchServer({ postgres: binaries.postgres, directory, logPath, account })
  const server = await waitFor('the server', async () => {
    if (launch.hasEnded()) throw new Error(await launch.readLog())
    const found = await findServer(directory)
    return found?.ready ? found : null
  })
  return {
    url: `postgres://tallystick:${password}@127.0.0.1:${server.port}/postgres?sslmode=disable`,
    async stop() {
      process.kill(server.pid, 'SIGINT')
      await waitFor('the server to end', () => launch.hasEnded())
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
