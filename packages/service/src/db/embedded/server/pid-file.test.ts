import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findServer, parsePidFile } from './pid-file.js'

const pidFile = (pid: number, status: string) =>
  `${pid}\n/data\n1700000000\n54321\n\n127.0.0.1\n  123456  789\n${status}\n`

describe('the pid file', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tallystick-pid-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('tells a ready server from one that starts or stops', () => {
    expect(parsePidFile(pidFile(7, 'ready   '))).toEqual({ pid: 7, port: 54321, ready: true })
    expect(parsePidFile(pidFile(7, 'starting'))?.ready).toBe(false)
    expect(parsePidFile(pidFile(7, 'stopping'))?.ready).toBe(false)
    expect(parsePidFile('7\n/data\n')?.ready).toBe(false)
  })

  it('means nothing when it is empty or garbled', () => {
    expect(parsePidFile('')).toBeUndefined()
    expect(parsePidFile('garbage\n')).toBeUndefined()
    expect(parsePidFile('-1\n')).toBeUndefined()
  })

  it('is taken away when its pid now belongs to another program', async () => {
    await writeFile(join(directory, 'postmaster.pid'), pidFile(process.pid, 'ready'))
    expect(await findServer(directory)).toBeUndefined()
    expect(await readdir(directory)).toEqual([])
  })

  it('is left to Postgres when its process is dead', async () => {
    await writeFile(join(directory, 'postmaster.pid'), pidFile(2 ** 22 + 1, 'ready'))
    expect(await findServer(directory)).toBeUndefined()
    expect(await readdir(directory)).toEqual(['postmaster.pid'])
  })
})
