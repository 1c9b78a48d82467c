import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { warnOfBacklog } from './listen-backlog.js'

test('a system limit below the configured backlog is logged as a warning', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tallystick-backlog-')), 'somaxconn')
  const lines: string[] = []
  const log = { warn: (line: unknown) => void lines.push(String(line)) }
  writeFileSync(path, '128\n')
  warnOfBacklog(log, 128, path)
  warnOfBacklog(log, 4_096, `${path}-missing`)
  expect(lines).toEqual([])
  warnOfBacklog(log, 4_096, path)
  expect(lines).toEqual([
    '128 connections may wait to be accepted, not 4096: raise the sysctl net.core.somaxconn, or set TALLYSTICK_LISTEN_BACKLOG',
  ])
})
