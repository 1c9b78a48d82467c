import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../../shared/errors.js'
import type { Caller } from '../caller.js'
import { decodeAnswer, encodeAnswer } from './recorded-answer.js'
import { createRecordingMemory, RecordingCaller, type RecordingOptions } from './recording-caller.js'

/** Somebody who waits, and what reached them. */
function makeCaller() {
  const got: string[] = []
  const listeners = new Set<() => void>()
  let isGone = false
  const caller: Caller = {
    log: pino({ level: 'silent' }),
    addHeaders: () => undefined,
    isGone: () => isGone,
    onGone(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    send: (status, _, body) => void got.push(`${status} ${body}`),
    sendError: (error) => void got.push(error.type),
    abandon: () => void got.push('abandoned'),
    openStream: () => ({
      write: (bytes) => got.push(String(bytes)) < 0,
      needsDrain: () => true,
      onDrain: () => undefined,
      end: (bytes) => void got.push(`${bytes}.`),
      destroy: () => void got.push('destroyed'),
    }),
  }
  const hangUp = () => {
    isGone = true
    for (const listener of listeners) listener()
  }
  return { caller, got, hangUp }
}

function record(options: Partial<RecordingOptions> = {}) {
  const waiting = makeCaller()
  const recorder = new RecordingCaller(waiting.caller, {
    headers: { 'x-id': '1' },
    renderError: (error) => error.toBody(),
    maxBytes: 100,
    memory: createRecordingMemory(1_000),
    hangUpGraceMs: 1_000,
    ...options,
  })
  return { ...waiting, recorder }
}

test('what was sent is kept once it is final', () => {
  const { recorder, got } = record()
  recorder.addHeaders({ 'x-more': '2' })
  recorder.send(200, { 'content-type': 'text/plain' }, Buffer.from('all'))
  expect(recorder.answer()).toBeNull()
  recorder.remember()
  expect(recorder.answer()).toEqual({
    status: 200,
    headers: { 'x-id': '1', 'x-more': '2', 'content-type': 'text/plain' },
    isStream: false,
    body: Buffer.from('all'),
  })
  expect(got).toEqual(['200 all'])
})

test('a stream that has no end is not kept', () => {
  const { recorder } = record()
  const stream = recorder.openStream({})
  stream.write(Buffer.from('one'))
  recorder.remember()
  expect(recorder.answer()).toBeNull()
  stream.end('two')
  expect(recorder.answer()).toMatchObject({ isStream: true, body: Buffer.from('onetwo') })
})

test('a stream is recorded on for a while when its caller hangs up, and nothing waits for it to read', () => {
  vi.useFakeTimers()
  const { recorder, hangUp, got } = record()
  let isReported = false
  let resumed = 0
  recorder.onGone(() => {
    isReported = true
  })
  const stream = recorder.openStream({})
  stream.onDrain(() => resumed++)
  expect(stream.write(Buffer.from('one'))).toBe(false)
  hangUp()
  expect(resumed).toBe(1)
  expect(stream.write(Buffer.from('two'))).toBe(true)
  expect(stream.needsDrain()).toBe(false)
  vi.advanceTimersByTime(999)
  expect([isReported, recorder.isGone()]).toEqual([false, false])
  vi.advanceTimersByTime(1)
  expect([isReported, recorder.isGone()]).toEqual([true, true])
  stream.end('three')
  expect(got).toEqual(['one', 'destroyed'])
  vi.useRealTimers()
})

test('whoever waits for a plain answer is never told that its caller left, but before it is asked for', () => {
  const { recorder, hangUp } = record()
  let isReported = false
  recorder.onGone(() => {
    isReported = true
  })
  hangUp()
  expect(isReported).toBe(false)
  expect(recorder.isGone()).toBe(true)
})

test('more than there is memory for is not kept, and gives its memory back', () => {
  const memory = createRecordingMemory(150)
  const { recorder } = record({ memory })
  recorder.openStream({}).write(Buffer.alloc(90))
  const other = record({ memory }).recorder
  const stream = other.openStream({})
  stream.write(Buffer.alloc(60))
  stream.end(Buffer.alloc(1))
  other.remember()
  expect(other.answer()).toBe('not kept')
  expect(memory.take(61)).toBe(false)
  expect(memory.take(60)).toBe(true)
  recorder.close()
  expect(memory.take(90)).toBe(true)
})

test('an error of ours is kept as its caller saw it, and anything can be written down and read', () => {
  const { recorder, got } = record()
  recorder.sendError(new ApiError('policy_violation', 'No'), { 'x-cost': '1' })
  recorder.remember()
  const answer = recorder.answer()
  if (answer === null || answer === 'not kept') throw new Error('it is kept')
  expect(answer).toMatchObject({
    status: 403,
    headers: { 'x-cost': '1', 'content-type': expect.stringContaining('json') },
  })
  expect(JSON.parse(String(answer.body))).toMatchObject({ error: { type: 'policy_violation' } })
  const kept = { ...answer, policies: 'pol_1@1' }
  expect(decodeAnswer(encodeAnswer(kept))).toEqual(kept)
  expect(got).toEqual(['policy_violation'])
})
