import { readFileSync } from 'node:fs'

/** In words for whoever runs the service. `ENFILE`: the limit is the one of the whole machine. */
export function describeFileLimit(code: 'EMFILE' | 'ENFILE'): string {
  if (code === 'ENFILE')
    return 'this machine has no file descriptors left (ENFILE): raise the sysctl fs.file-max, or find what holds them'
  const limit = readOpenFileLimit()
  const most = limit === null ? '' : ` of the ${limit} that it may have`
  return `this process has no file descriptors left${most} (EMFILE): raise its limit of open files (ulimit -n, LimitNOFILE of systemd), or start more replicas`
}

let known: number | null = null

/** Null where the system does not say. To be called early: to read it takes a descriptor, and later there may be none. */
export function readOpenFileLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    known = soft === undefined ? known : Number(soft)
  } catch {
    // There is no such file elsewhere than on Linux.
  }
  return known
}
