import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { blockThread } from '../../../../../test/harness/run/block-thread.js'
import type { Principal } from '../../http/index.js'
import { EventStream } from './event-stream.js'
import type { View } from './view.js'

/** A connection with unread data. */
class Response extends EventEmitter {
  writableNeedDrain = true
  writableLength = 1
  said = ''

  write(text: string): void {
    this.said += text
  }

  end(text = ''): void {
    this.said += text
  }

  destroy(): void {
    this.emit('close')
  }
}

function start() {
  const response = new Response()
  const stream = new EventStream({
    response: response as unknown as ServerResponse,
    principal: {} as Principal,
    view: {} as View,
    maxBufferedBytes: 1_000,
    onClosed: () => undefined,
  })
  return { response, stream }
}

test('a reader is not dropped because the process was paused', async () => {
  const { response, stream } = start()
  const drained = stream.drained(2_000)
  blockThread(3_500)
  // The time that it had is over by now, and its timer comes before this one.
  await pause(0)
  response.emit('drain')
  await drained
  expect(stream.isOpen).toBe(true)
  expect(response.said).toBe('')
})

test('a reader that reads nothing is dropped, with a reason', async () => {
  const { response, stream } = start()
  await stream.drained(50)
  expect(stream.isOpen).toBe(false)
  expect(response.said).toContain('slow_reader')
  response.destroy()
})
