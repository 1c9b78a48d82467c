import { spawn } from 'node:child_process'
import type { Account } from './account.js'

/** Nothing of our environment reaches Postgres: a stray PGDATA or LC_ALL must not change the database. */
export const PROGRAM_ENV = { LC_ALL: 'C', TZ: 'UTC' }

/** Our own working folder may be closed to the account, and Postgres looks at the one it starts in. */
export function runAs(account: Account | undefined): { cwd: string; uid?: number; gid?: number } {
  return account === undefined ? { cwd: '/' } : { cwd: '/', uid: account.uid, gid: account.gid }
}

/** Runs a Postgres program to its end; its complaint becomes the error. */
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
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    // A program that ends without reading its input is judged by its exit code alone.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('error', (error) =>
      reject(new Error(`Cannot run ${program}: ${error.message}`, { cause: error })),
    )
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${program} failed (${signal ?? `exit code ${code}`}): ${complaint.trim()}`))
    })
  })
}
