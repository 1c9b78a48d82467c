import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chooseAccount } from './account/account.js'
import { findPlatformPackage, prepareBinaries } from './binaries/binaries.js'
import { ensureCluster, SHARED_DIR } from './cluster.js'
import { readPassword } from './password.js'
import { joinServer, leaveServer } from './server/server.js'
import { type Pings, type Watch, watchServer } from './server/watch.js'

export { hasCluster as hasEmbeddedDatabase } from './cluster.js'

export interface EmbeddedPostgres {
  url: string
  /** Must be called after the caller's own connections are closed. The server keeps running while other processes use it. */
  stop(): Promise<void>
  /** Null when the server is not watched. */
  watch: Pick<Watch, 'fault' | 'broken'> | null
}

/** Starts the bundled Postgres on `<dataDir>/postgres`, or joins the one that already runs there. */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: (message: string) => void
  /** Called with each fault. When it is set, the server is watched and started again when it ends. */
  onFault?: (message: string) => void
  pings?: Pings
}): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options
  const account = await chooseAccount(join(dataDir, 'postgres'))
  // The unprivileged account must be able to enter a folder of root to reach its own folder in it.
  await mkdir(dataDir, { recursive: true, mode: account === undefined ? 0o700 : 0o711 })
  const binaries = await prepareBinaries({
    packageDir: findPlatformPackage(),
    copiesDir: account === undefined ? dataDir : SHARED_DIR,
    account,
    log,
  })
  const directory = await ensureCluster({ dataDir, binaries, account, log })
  const password = await readPassword(dataDir)
  const server = {
    ...{ postgres: binaries.postgres, directory, account, password },
    logPath: join(dataDir, 'postgres.log'),
    onAbsent: () => watch?.wake(),
  }
  let watch: Watch | null = null
  const joined = await joinServer(server)
  const { port } = joined
  let { presence } = joined
  watch = options.onFault
    ? watchServer({
        ...{ directory, port, password, logPath: server.logPath, warn: options.onFault },
        ...(options.pings && { pings: options.pings }),
        isPresent: () => presence.isOpen(),
        async restart() {
          const again = await joinServer({ ...server, port })
          await presence.end().catch(() => undefined)
          presence = again.presence
        },
      })
    : null

  let stopped: Promise<void> | undefined
  return {
    url: `postgres://tallystick:${password}@127.0.0.1:${port}/tallystick?sslmode=disable`,
    watch,
    stop: () => {
      stopped ??= (async () => {
        await watch?.close()
        await leaveServer({ directory, password, presence })
      })()
      return stopped
    },
  }
}
