import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Deployment } from '../deployment.js'
import { lacksDisks, mountDisk } from '../postgres.js'
import type { Fault } from './fault.js'

export const diskFaults: readonly Fault[] = [
  {
    name: 'the disk of a data directory is full, and the database goes away',
    expected: {
      causes: ['database_unreachable', 'disk_full'],
      alerts: ['TallystickDatabaseDown', 'TallystickDataDirectoryNotWritable'],
    },
    lacks: lacksDisks,
    strike: (deployment) =>
      withoutDisk(deployment, async (dataDir) => {
        mountDisk(dataDir, 'remount,size=1m')
        const ballast = join(dataDir, 'ballast')
        await writeFile(ballast, Buffer.alloc(2 << 20)).catch(() => undefined)
        return async () => {
          await rm(ballast, { force: true })
          mountDisk(dataDir, 'remount,size=4g')
        }
      }),
  },
  {
    name: 'a data directory is read-only, and the database goes away',
    expected: {
      causes: ['database_unreachable', 'disk_not_writable'],
      alerts: ['TallystickDatabaseDown', 'TallystickDataDirectoryNotWritable'],
    },
    lacks: lacksDisks,
    strike: (deployment) =>
      withoutDisk(deployment, async (dataDir) => {
        mountDisk(dataDir, 'remount,ro')
        return async () => mountDisk(dataDir, 'remount,rw')
      }),
  },
]

/** Answers are in progress when the database goes away, so their receipts have nowhere to go. */
async function withoutDisk(
  { replicas, postgres, provider, lasts }: Deployment,
  breakDisk: (dataDir: string) => Promise<() => Promise<void>>,
): Promise<void> {
  const repair = await breakDisk(replicas.any().dataDir)
  try {
    provider.delay(700)
    await pause(700)
    await postgres.end('SIGKILL')
    await lasts()
    provider.delay(0)
    await postgres.start()
  } finally {
    await repair()
  }
}
