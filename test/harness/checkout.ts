import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A copy of the sources that nothing was built from, with the packages that `npm ci --omit=dev` would install. */
export interface Checkout {
  folder: string
  /** Runs npm in a process group of its own, with no settings but these. */
  npm(args: readonly string[], env?: Record<string, string>): NpmProcess
  remove(): Promise<void>
}

export interface NpmProcess {
  pid: number
  /** What was printed so far. */
  output(): string
  /** Resolves with the exit code, or the signal's name. */
  exit: Promise<number | string>
}

export async function openCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-checkout-'))
  // Under root the database runs as an unprivileged user, who must get through.
  await chmod(folder, 0o755)
  for (const name of [
    'src',
    'console',
    'scripts',
    'migrations',
    'packs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    await cp(join(root, name), join(folder, name), { recursive: true })
  for (const name of await listProductionPackages()) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await symlink(join(root, name), join(folder, name))
  }
  return {
    folder,
    npm: (args, env = {}) => spawnNpm(folder, args, env),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function listProductionPackages(): Promise<string[]> {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(lock.packages)
    .filter(([name, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && !dev)
    .map(([name]) => name)
}

function spawnNpm(folder: string, args: readonly string[], env: Record<string, string>): NpmProcess {
  const child = spawn('npm', args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, npm_config_update_notifier: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const exit = once(child, 'close').then(([code, signal]) => code ?? signal)
  return { pid: child.pid ?? 0, output: () => output, exit }
}
