import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { startConnectionWatch } from './connection-watch.js'

async function watchIn(folder: string, said: string[]) {
  const watch = startConnectionWatch({
    log: { warn: (_context, message) => void said.push(message) },
    everyMs: 2,
    proc: folder,
  })
  onTestFinished(() => watch.close())
  return watch
}

test('connections that the system turns away are counted and said, by how many they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-proc-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'net'))
  const overflow = (count: number) =>
    writeFile(
      join(folder, 'net/netstat'),
      `TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 3 ${count} 99\nIpExt: InOctets\nIpExt: 7\n`,
    )
  await overflow(40)
  const said: string[] = []
  const watch = await watchIn(folder, said)
  expect(watch.turnedAway()).toBe(0)
  await overflow(45)
  await waitFor('the warning', () => said.length > 0)
  expect(watch.turnedAway()).toBe(5)
  expect(said).toEqual([expect.stringContaining('turned away 5 connections')])
})

test('where the system says nothing, nothing is said', async () => {
  const said: string[] = []
  const watch = await watchIn('/nowhere', said)
  expect(watch.turnedAway()).toBe(0)
  await watch.close()
  expect(said).toEqual([])
})
