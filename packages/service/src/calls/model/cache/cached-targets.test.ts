import { expect, test } from 'vitest'
import {
  createMockProvider,
  createModelDirectory,
  endpoints,
  type Target,
  type UpstreamRequest,
  type UpstreamSink,
} from '../../../providers/index.js'
import { recordingTarget, replayTarget } from './cached-targets.js'

const target = createModelDirectory({
  providers: [createMockProvider()],
  catalogue: { models: new Map(), refused: new Map() },
  settings: { m: { provider: 'mock', model: 'echo', price: { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } } },
}).find('m')

function targetOf(): Target {
  if ('missing' in target) throw new Error(target.missing)
  return target
}

const body = {
  model: 'echo',
  stream: true,
  messages: [{ role: 'user', content: 'Repeat this, word by word' }],
}
const request: UpstreamRequest = {
  dialect: endpoints.chat,
  model: 'echo',
  stream: true,
  contextWindow: null,
  body: Buffer.from(JSON.stringify(body)),
  headers: {},
  query: '',
  callerAuthorization: null,
}

/** Reads to the end, and stops after every piece where `isSlow`. */
function read(
  from: Target,
  isSlow = false,
): Promise<{ status: number; type: string; text: string; pauses: number }> {
  return new Promise((resolve, reject) => {
    const got = { status: 0, type: '', text: '', pauses: 0 }
    const sink: UpstreamSink = {
      head(status, headers) {
        got.status = status
        got.type = headers['content-type'] ?? ''
      },
      data(chunk) {
        got.text += chunk
        if (!isSlow) return true
        got.pauses++
        setImmediate(() => call.resume())
        return false
      },
      end: () => resolve(got),
      fail: reject,
    }
    const call = from.provider.transport.send(request, sink)
  })
}

test('what was recorded in passing is replayed as it came, to slow readers too, for nothing', async () => {
  const recording = recordingTarget(targetOf(), 1_000_000)
  const first = await read(recording.target)
  const stored = recording.answer()
  if (stored === null) throw new Error('it was not recorded')
  expect(first.text).toContain('word')
  const replaying = replayTarget(targetOf(), stored)
  expect(await read(replaying)).toEqual(first)
  const long = replayTarget(targetOf(), { ...stored, body: Buffer.from('é'.repeat(50_000)) })
  const slow = await read(long, true)
  expect(slow.pauses).toBeGreaterThan(3)
  expect(Buffer.byteLength(slow.text)).toBeGreaterThanOrEqual(100_000)
  expect(replaying).toMatchObject({ name: 'm', isCached: true, price: { rates: { input: 0, output: 0 } } })
})

test('what is too large is not kept', async () => {
  const recording = recordingTarget(targetOf(), 10)
  expect((await read(recording.target)).text.length).toBeGreaterThan(10)
  expect(recording.answer()).toBeNull()
})

test('a replay that is given up sends nothing more', async () => {
  const replaying = replayTarget(targetOf(), { contentType: 'text/plain', body: Buffer.from('text') })
  let calls = 0
  const count = () => ++calls > 0
  const sink = { head: () => void count(), data: count, end: () => void count(), fail: () => void count() }
  replaying.provider.transport.send(request, sink).abort()
  await read(replaying)
  expect(calls).toBe(0)
})
