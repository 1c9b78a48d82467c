import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { hasCode } from '../../../shared/error-code.js'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process runs under another account.
    return hasCode(error, 'EPERM')
  }
}

/**
 * Returns whether the process is a Postgres that was launched on this data directory. Pids are reused, especially in containers, so the
 * command line is checked. A zombie process has none.
 */
export async function servesDirectory(pid: number, directory: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const args = commandLine.split('\0')
    return args[1] === '-D' && args[2] === directory
  }
  const ps = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(
    () => undefined,
  )
  return ps?.stdout.includes(` -D ${directory} -c `) ?? false
}
