import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Image } from './image.js'

// The account outside. Inside it is the user of the image.
const outside = 65534

const bubblewrap = (args: string[]) => {
  const isRoot = process.getuid?.() === 0
  const account = ['--reuid', String(outside), '--regid', String(outside), '--clear-groups', 'bwrap']
  return isRoot ? { command: 'setpriv', args: [...account, ...args] } : { command: 'bwrap', args }
}

const isolated = ['--unshare-all', '--as-pid-1', '--share-net', '--cap-drop', 'ALL', '--die-with-parent']

function findFault(): string | null {
  const { command, args } = bubblewrap([...isolated, '--ro-bind', '/', '/', 'true'])
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr)
}

/** Why containers cannot be run here, or null. Tests that need one are then skipped, except in CI, where nobody would notice. */
export const containerFault: string | null = findFault()
if (containerFault !== null && process.env.CI === 'true')
  throw new Error(`bubblewrap cannot run containers here: ${containerFault}`)
if (containerFault !== null)
  process.stderr.write(`Tests that run the image are skipped: ${containerFault.trim()}\n`)

type Running = ChildProcessByStdio<null, Readable, Readable>

export interface Container {
  /** Starts the image's entry point with a command, on the network of this machine. */
  start(command: readonly string[], env: Record<string, string>): Running
  /** Sends SIGTERM to the first process of the container, as an engine does. */
  terminate(running: Running): void
}

/** Unpacks the image and runs it as its user: with its environment, a read-only root, no capabilities, and one folder for data. */
export function createContainer(image: Image, folder: string): Container {
  const [files, data] = [join(folder, 'root'), join(folder, 'data')]
  image.unpack(files)
  mkdirSync(data)
  chmodSync(folder, 0o755)
  if (process.getuid?.() === 0) chownSync(data, outside, outside)
  const { User, Env, Entrypoint, WorkingDir } = image.config
  const [uid = '', gid = ''] = User.split(':')
  return {
    start(words, env) {
      const variables = [...Env.map((each) => each.split(/=(.*)/s)), ...Object.entries(env)]
      const { command, args } = bubblewrap([
        ...isolated,
        ...['--uid', uid, '--gid', gid, '--clearenv', '--chdir', WorkingDir],
        ...['--ro-bind', files, '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
        ...['--bind', data, '/var/lib/tallystick'],
        ...variables.flatMap(([name = '', value = '']) => ['--setenv', name, value]),
        ...Entrypoint,
        ...words,
      ])
      return spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    },
    terminate({ pid }) {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      process.kill(Number.parseInt(children, 10), 'SIGTERM')
    },
  }
}
