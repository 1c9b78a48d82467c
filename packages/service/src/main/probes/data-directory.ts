import { constants } from 'node:fs'
import { access, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../shared/error-code.js'
import type { Finding } from './finding.js'
import type { Observation } from './observe.js'

const mebibyte = 2 ** 20
/** Receipts that wait for a database are written to disk, and the bundled database is on it. */
export const leastFreeBytes = 100 * mebibyte

export interface DirectoryState {
  freeBytes: number
  /** The error of writing a file; null when it could be written. */
  writeFault: unknown
}

// A full disk may still take a file without content.
const probeContent = Buffer.alloc(4_096)

/** Reads the free space of the data directory, and writes and removes a file in it. */
export async function readDirectoryState(dataDir: string, processId: string): Promise<DirectoryState> {
  const { bavail, bsize } = await statfs(dataDir)
  const path = join(dataDir, `probe-${processId}`)
  const writeFault: unknown = await access(join(dataDir, 'spool'), constants.W_OK)
    .then(() => writeFile(path, probeContent, { mode: 0o600 }))
    .then(
      () => null,
      (error: unknown) => error,
    )
  await rm(path, { force: true }).catch(() => undefined)
  return { freeBytes: bavail * bsize, writeFault }
}

const isFull = (code: string | undefined): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/** Finds what is wrong with the disk of the data directory. */
export function checkDisk(observation: Observation<DirectoryState>): Finding[] {
  const fault = writeFaultOf(observation)
  if (fault !== null) {
    const code = errorCode(fault)
    return isFull(code)
      ? [{ cause: 'disk_full', message: 'The disk of the data directory is full. Free space there' }]
      : [
          {
            cause: 'disk_not_writable',
            message: `The data directory cannot be written (${code ?? 'no answer'}). Check its disk, its owner and TALLYSTICK_DATA_DIR`,
          },
        ]
  }
  const freeBytes = 'seen' in observation ? observation.seen.freeBytes : 0
  if (freeBytes >= leastFreeBytes) return []
  return [
    {
      cause: 'disk_low',
      message: `The disk of the data directory has ${Math.floor(freeBytes / mebibyte)} MiB left. Free space there`,
    },
  ]
}

/** Finds receipts that are only on this disk, and whether more could be kept there. */
export function checkSpool(observation: Observation<DirectoryState>, spooled: number): Finding[] {
  const findings: Finding[] = []
  if (spooled > 0)
    findings.push({
      cause: 'spool_not_drained',
      message: `${spooled} receipts wait on this disk, and nowhere else, until they can be recorded. Do not delete the data directory`,
    })
  if (writeFaultOf(observation) !== null)
    findings.push({
      cause: 'spool_not_writable',
      message:
        'The spool cannot be written: receipts of calls in progress could not be kept if the database went away. See the check of the disk',
    })
  return findings
}

/** A directory that does not answer, such as one on a network, counts as one that cannot be written. */
function writeFaultOf(observation: Observation<DirectoryState>): unknown {
  if ('seen' in observation) return observation.seen.writeFault
  return 'failed' in observation ? observation.failed : new Error('The data directory does not answer')
}
