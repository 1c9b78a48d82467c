import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

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
    env: { PATH: process.env.PATH ?? '', TALLYSTICK_PORT: '0', TALLYSTICK_LOG_LEVEL: 'warn', ...env },
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
  return {
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
  }
}

async function listening(child: ChildProcess, output: () => string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const look = () => {
      const address = /listens on (http:\/\/\S+)/.exec(output())?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout?.on('data', look)
    // `close` instead of `exit`, because the last output may arrive after `exit`.
    child.once('close', (code) =>
      reject(new Error(`the service ended with ${code} before it listened:\n${output()}`)),
    )
  })
}
