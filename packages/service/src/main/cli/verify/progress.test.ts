import { PassThrough } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgress } from './progress.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** A terminal whose screen can be read: what stands on the line that is written over again and again. */
function openTerminal(isTTY: boolean) {
  const stream = new PassThrough()
  let written = ''
  stream.on('data', (bytes) => {
    written += bytes
  })
  return {
    terminal: Object.assign(stream, { isTTY }) as unknown as WriteStream,
    written: () => written,
    line: () => written.split('\r\u001b[K').at(-1),
  }
}

test('a check that is over at once says nothing of its progress', () => {
  const { terminal, written } = openTerminal(true)
  const progress = createProgress(terminal, () => 0.5)
  for (let seq = 1; seq < 50; seq++) {
    progress.show(seq)
    vi.advanceTimersByTime(10)
  }
  progress.clear()
  expect(written()).toBe('')
})

test('a long check tells on one line how far it is, some times a second, and leaves nothing behind', () => {
  const { terminal, written, line } = openTerminal(true)
  let share = 0
  const progress = createProgress(terminal, () => share)
  vi.advanceTimersByTime(600)
  progress.show(1_000)
  expect(line()).toBe(`[${' '.repeat(30)}] 0 %  entry 1,000`)

  share = 0.5
  vi.advanceTimersByTime(50)
  progress.show(500_000)
  expect(line()).toContain('entry 1,000')
  vi.advanceTimersByTime(60)
  progress.show(500_001)
  expect(line()).toBe(`[${'#'.repeat(15)}${' '.repeat(15)}] 50 %  entry 500,001`)

  share = 1
  vi.advanceTimersByTime(200)
  progress.show(1_000_000)
  expect(line()).toBe(`[${'#'.repeat(30)}] 100 %  entry 1,000,000`)
  progress.clear()
  expect(line()).toBe('')
  expect(written()).not.toContain('\n')
})

test('of input whose length nobody knows it tells the entry alone', () => {
  const { terminal, line } = openTerminal(true)
  const progress = createProgress(terminal, () => null)
  vi.advanceTimersByTime(600)
  progress.show(42)
  expect(line()).toBe('entry 42')
})

test('what is no terminal is told nothing', () => {
  const { terminal, written } = openTerminal(false)
  const progress = createProgress(terminal, () => 0.5)
  vi.advanceTimersByTime(600)
  progress.show(42)
  progress.clear()
  expect(written()).toBe('')
})
