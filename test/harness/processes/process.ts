import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorCode } from '../../../packages/service/src/shared/error-code.js'

export const programPath = fileURLToPath(
  new URL('../../../packages/service/dist/cli/index.js', import.meta.url),
)

/** The built program in its own process, which can be killed. `npm test` builds it first. */
export interface ServiceProcess {
  address: string
  pid: number
  /** Returns what it printed so far. */
  output(): string
  /** Closes the reading end of its output. */
  closeOutput(): void
  /** Sends the signal and resolves with the exit code, or the signal's name, once the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | string>
  /** Returns the ids of its worker processes. */
  workers(): Promise<number[]>
  /** Kills it together with its workers, as the death of the machine does. */
  killAll(): Promise<void>
}

export async function startServiceProcess(
  env: Record<string, string>,
  options: readonly string[] = [],
  cwd?: string,
  maxOpenFiles?: number,
): Promise<ServiceProcess> {
  const program = [process.execPath, programPath, 'serve', ...options]
  // `exec`: the process keeps its id, so signals reach the service.
  const limited = ['-c', `ulimit -n ${maxOpenFiles}; exec "$@"`, 'bash', ...program]
  const [command = '', ...args] = maxOpenFiles === undefined ? program : ['bash', ...limited]
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH ?? '',
      TALLYSTICK_PORT: '0',
      TALLYSTICK_LOG_LEVEL: 'warn',
      // Also on a machine with many processors.
      TALLYSTICK_WORKERS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const address = await listening(child, () => output)
  const readWorkers = () => listChildren(child.pid ?? 0)
  const service: ServiceProcess = {
    address,
    pid: child.pid ?? 0,
    output: () => output,
    closeOutput() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    async end(signal) {
      if (child.exitCode !== null) return child.exitCode
      if (child.signalCode !== null) return child.signalCode
      const gone = once(child, 'exit')
      child.kill(signal)
      const [code, by] = await gone
      return code ?? by
    },
    workers: readWorkers,
    async killAll() {
      const pids = await readWorkers()
      await service.end('SIGKILL')
      for (const pid of pids) killIfRunning(pid)
    },
  }
  return service
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ends with its supervisor.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Without the database server, which is a child too. */
async function listChildren(parent: number): Promise<number[]> {
  const text = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '')
  const pids = text.trim().split(' ').filter(Boolean)
  const areWorkers = await Promise.all(
    pids.map(async (pid) =>
      (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes(programPath),
    ),
  )
  return pids.filter((_, i) => areWorkers[i]).map(Number)
}

async function listening(child: ChildProcess, output: () => string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const look = () => {
      const address = /listens on (https?:\/\/\S+)/.exec(output())?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout?.on('data', look)
    // `close` instead of `exit`, because the last output may arrive after `exit`.
    child.once('close', (code) =>
      reject(new Error(`the service ended with ${code} before it listened:\n${output()}`)),
    )
  })
}
