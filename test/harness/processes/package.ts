import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/** An account without rights: `nobody` on Linux. */
export const ordinary = { uid: 65534, gid: 65534 }
export type Account = typeof ordinary | undefined

/** The tarball of the service, and folders to install it into and to run it in. */
export interface PackedService {
  /** Returns a new folder of the account. */
  newFolder(as?: Account): Promise<string>
  /** Installs the tarball into an empty folder and returns the folder. */
  install(as?: Account): Promise<string>
  remove(): Promise<void>
}

export interface StartOptions {
  as?: Account
  /** The program that runs Node, where it is not the one of this test. */
  node?: string
  /** The folder of tallystick.yaml and of the data. */
  folder: string
  env: Record<string, string>
}

export interface RunningPackage {
  address: string
  output(): string
  /** Sends SIGTERM to npx and what it started, as systemd does, and resolves when all have ended. */
  stop(): Promise<void>
}

export async function packService(): Promise<PackedService> {
  const top = await mkdtemp(join(tmpdir(), 'tallystick-package-'))
  await chmod(top, 0o755)
  const cache = join(top, 'cache')
  const { stdout } = await run(
    'npm',
    ['pack', '--silent', '--workspace', 'packages/service', '--pack-destination', top],
    { cwd: root },
  )
  const tarball = join(top, stdout.trim().split('\n').at(-1) ?? '')

  const newFolder = async (as: Account) => {
    const folder = await mkdtemp(join(top, 'folder-'))
    await chmod(folder, 0o755)
    if (as) await chown(folder, as.uid, as.gid)
    return folder
  }
  return {
    newFolder,
    async install(as) {
      const folder = await newFolder(as)
      await mkdir(cache, { recursive: true })
      // What the first installation fetched, the next one finds.
      if (as) await run('chown', ['-R', `${as.uid}:${as.gid}`, cache])
      const options = ['--silent', '--prefer-offline', '--ignore-scripts', '--no-audit', '--cache', cache]
      await run('npm', ['install', ...options, tarball], { cwd: folder, env: environment(folder), ...as })
      return folder
    },
    remove: () => rm(top, { recursive: true, force: true }),
  }
}

/** Nothing of this process: neither its settings nor those of its npm. */
const environment = (home: string, node?: string) => ({
  PATH: `${node ? `${dirname(node)}${delimiter}` : ''}${process.env.PATH ?? ''}`,
  HOME: home,
})

/** Runs `npx tallystick` in the folder of an installation. */
export async function startPackage(installation: string, options: StartOptions): Promise<RunningPackage> {
  const { as, node, folder, env } = options
  const child = spawn('npx', ['--no-install', 'tallystick'], {
    ...{ cwd: installation, detached: true, ...as },
    env: {
      ...environment(folder, node),
      TALLYSTICK_CONFIG: join(folder, 'tallystick.yaml'),
      TALLYSTICK_DATA_DIR: join(folder, '.tallystick'),
      TALLYSTICK_PORT: '0',
      TALLYSTICK_WORKERS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  // After the output of all processes is closed.
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal)
  const address = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        const found = /listens on (http:\/\/\S+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
    exit.then((code) => reject(new Error(`npx ended with ${code} before the service listened:\n${output}`)))
  })
  return {
    address,
    output: () => output,
    async stop() {
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await exit
    },
  }
}
