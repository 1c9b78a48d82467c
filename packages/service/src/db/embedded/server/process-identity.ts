import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { hasCode } from '../../../shared/error-code.js'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, under another account.
    return hasCode(error, 'EPERM')
  }
}

/**
 * Whether the process is a Postgres that we launched on this data directory. Pids are reused, most
 * eagerly in containers, so a living pid says nothing; the command line does. A zombie has none.
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
