import { readFileSync } from 'node:fs'

/** Describes the error for the operator. `ENFILE` means that the limit of the whole machine is reached. */
export function describeFileLimit(code: 'EMFILE' | 'ENFILE'): string {
  if (code === 'ENFILE')
    return 'this machine has no file descriptors left (ENFILE): raise the sysctl fs.file-max, or find what holds them'
  const limit = readOpenFileLimit()
  const most = limit === null ? '' : ` of the ${limit} that it may have`
  return `this process has no file descriptors left${most} (EMFILE): raise its limit of open files (ulimit -n, LimitNOFILE of systemd), or start more replicas`
}

let known: number | null = null

/** Reads the limit of open files. Null when the system has no such file. Must be called early, because reading needs a file descriptor. */
export function readOpenFileLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    known = soft === undefined ? known : Number(soft)
  } catch {
    // The file exists only on Linux.
  }
  return known
}
