import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A copy of the sources without build output, with the packages that `npm ci` installs. */
export interface Checkout {
  folder: string
  /** Runs npm in its own process group, with these settings only. */
  npm(args: readonly string[], env?: Record<string, string>): NpmProcess
  remove(): Promise<void>
}

export interface NpmProcess {
  pid: number
  /** Returns what was printed so far. */
  output(): string
  /** Resolves with the exit code, or the signal's name. */
  exit: Promise<number | string>
}

export async function openCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-checkout-'))
  // Under root, the database runs as an unprivileged user, who needs access to the folder.
  await chmod(folder, 0o755)
  const isSource = (path: string) => !/[/\\](?:dist|node_modules)(?:[/\\]|$)/.test(relative(root, path))
  for (const name of ['packages', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'])
    await cp(join(root, name), join(folder, name), { recursive: true, filter: isSource })
  for (const [name, target] of await listInstalledPackages(folder)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await symlink(target, join(folder, name))
  }
  return {
    folder,
    npm: (args, env = {}) => spawnNpm(folder, args, env),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Links node_modules of the checkout to the installed packages and to the checkout's own packages. */
async function listInstalledPackages(folder: string): Promise<[name: string, target: string][]> {
  const lock: { packages: Record<string, { link?: boolean; resolved?: string }> } = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  )
  return Object.entries(lock.packages)
    .filter(([name]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && existsSync(join(root, name)))
    .map(([name, { link, resolved = '' }]) => [name, link ? join(folder, resolved) : join(root, name)])
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
