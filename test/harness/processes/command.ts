import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../packages/service/dist/cli/index.js', import.meta.url))

export interface CommandResult {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** Runs a command of the built program and waits until it exits. */
export async function runCommand(
  args: string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  })
  const result: CommandResult = { exitCode: null, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    result.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    result.stderr += chunk
  })
  result.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return result
}
