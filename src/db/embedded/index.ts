import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseAccount } from './account.js'
import { findPlatformPackage, prepareBinaries } from './binaries.js'
import { ensureCluster, SHARED_DIR } from './cluster.js'
import { readPassword } from './password.js'
import { joinServer, leaveServer } from './server.js'

export { hasCluster as hasEmbeddedDatabase } from './cluster.js'

export interface EmbeddedPostgres {
  url: string
  /** To be called once the caller's own connections are closed. Others using the server keep it running. */
  stop(): Promise<void>
}

/** Starts the bundled Postgres on `<dataDir>/postgres`, or joins the one that already runs there. */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: (message: string) => void
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  const account = await chooseAccount(join(dataDir, 'postgres'))
  // Root's folder must let the unprivileged account through to its own part of it.
  await mkdir(dataDir, { recursive: true, mode: account === undefined ? 0o700 : 0o711 })
  const binaries = await prepareBinaries({
    packageDir: findPlatformPackage(),
    copiesDir: account === undefined ? dataDir : SHARED_DIR,
    account,
    log,
  })
  const directory = await ensureCluster({ dataDir, binaries, account, log })
  const password = await readPassword(dataDir)
  const { port, presence } = await joinServer({
    postgres: binaries.postgres,
    directory,
    logPath: join(dataDir, 'postgres.log'),
    account,
    password,
  })

  let stopped: Promise<void> | undefined
  return {
    url: `postgres://tallystick:${password}@127.0.0.1:${port}/tallystick?sslmode=disable`,
    stop: () => {
      stopped ??= leaveServer({ directory, password, presence })
      return stopped
    },
  }
}
