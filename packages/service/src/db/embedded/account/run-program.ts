import { spawn } from 'node:child_process'
import type { Account } from './account.js'

/** The environment of Postgres programs. Variables of this process, such as PGDATA or LC_ALL, must not affect the database. */
export const PROGRAM_ENV = { LC_ALL: 'C', TZ: 'UTC' }

/** Postgres accesses its working directory, and the account may not be able to enter that of this process. */
export function runAs(account: Account | undefined): { cwd: string; uid?: number; gid?: number } {
  return account === undefined ? { cwd: '/' } : { cwd: '/', uid: account.uid, gid: account.gid }
}

/** Runs a Postgres program to its end. When it fails, the error contains what it wrote to stderr. */
export async function runProgram(options: {
  program: string
  args: string[]
  account: Account | undefined
  input?: string
  timeoutMs: number
}): Promise<void> {
  const { program, args, account, input = '', timeoutMs } = options
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, args, {
      ...runAs(account),
      env: PROGRAM_ENV,
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: timeoutMs,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    // When a program ends without reading its input, only its exit code matters.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (error) =>
      reject(new Error(`Cannot run ${program}: ${error.message}`, { cause: error })),
    )
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} failed (${signal ?? `exit code ${code}`}): ${stderr.trim()}`))
    })
  })
}
