import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BilledGateway, startBilledGateway, sumOfBills } from '../../harness/billing/billed-gateway.js'
import type { JsonObject } from '../../harness/billing/json.js'
import { dataUrl } from '../../harness/billing/make-files.js'
import { sendAtOnce } from '../../harness/billing/send-concurrently.js'
import { hostileAudio } from '../../harness/media/hostile-audio.js'
import { hostileImages } from '../../harness/media/hostile-images.js'
import { hostilePdfs } from '../../harness/media/hostile-pdfs.js'
import { hostileWav } from '../../harness/media/hostile-wav.js'
import type { Recording } from '../../harness/media/recording.js'

// The provider bills what each file was made to be: seconds that play, pixels that a decoder makes, pages that a reader finds.

let billed: BilledGateway
beforeAll(async () => {
  billed = await startBilledGateway()
})
afterAll(() => billed.stop())

const nanosPerUsd = 1_000_000_000
const budgetUsd = 0.01

const upload = ({ bytes, declared }: Recording) => ({
  path: '/v1/audio/transcriptions' as const,
  files: [{ field: 'file', filename: `a.${declared}`, type: 'audio/wav', bytes }],
})

describe('a budget holds for files that look smaller than they are', () => {
  test('60 calls at once with MP3 behind a WAV header do not pass a budget of $0.01', async () => {
    if (hostileWav === undefined) throw new Error('there is none')
    const { key } = await billed.newKey(budgetUsd)
    const { bills, statuses } = await sendAtOnce(billed, 60, upload(hostileWav), { model: 'whisper-1' }, key)
    expect(sumOfBills(bills)).toBeLessThanOrEqual(budgetUsd * nanosPerUsd)
    expect(new Set(statuses)).toEqual(new Set([400]))
  })

  test('the same recording by tokens reserves as much as the model hears, and is served', async () => {
    if (hostileWav === undefined) throw new Error('there is none')
    const { key } = await billed.newKey(0.5)
    const body = { model: 'gpt-4o-transcribe' }
    const { bills, statuses } = await sendAtOnce(billed, 20, upload(hostileWav), body, key)
    expect(statuses).toContain(200)
    expect(sumOfBills(bills)).toBeLessThanOrEqual(0.5 * nanosPerUsd)
  })

  test.each(hostileAudio.map((each) => [each.name, each] as const))('%s', async (_, recording) => {
    const before = billed.upstream.bills.length
    const { key } = await billed.newKey(budgetUsd / 10)
    const response = await billed.send(upload(recording), { model: 'whisper-1' }, key)
    await response.arrayBuffer()
    expect([200, 400, 402]).toContain(response.status)
    expect(sumOfBills(billed.upstream.bills.slice(before))).toBeLessThanOrEqual(
      (budgetUsd / 10) * nanosPerUsd,
    )
  })

  const ask = (part: JsonObject, model: string) => ({
    model,
    max_tokens: 16,
    messages: [{ role: 'user', content: [part] }],
  })

  test.each<[string, JsonObject, string]>([
    ...hostileAudio
      .slice(0, 12)
      .map(({ name, bytes }): [string, JsonObject, string] => [
        `in a chat: ${name}`,
        { type: 'input_audio', input_audio: { data: bytes.toString('base64'), format: 'wav' } },
        'gpt-4o-audio-preview',
      ]),
    ...hostileImages.map(({ name, bytes }): [string, JsonObject, string] => [
      name,
      { type: 'image_url', image_url: { url: dataUrl('image/png', bytes) } },
      'gpt-4o',
    ]),
    ...hostilePdfs.map(({ name, bytes }): [string, JsonObject, string] => [
      `PDF: ${name}`,
      { type: 'file', file: { filename: 'a.pdf', file_data: dataUrl('application/pdf', bytes) } },
      'gpt-4o',
    ]),
  ])('%s', async (_, part, model) => {
    const before = billed.upstream.bills.length
    let reserved = 0
    billed.upstream.beforeAnswer = async () => {
      reserved = await billed.reserved()
    }
    const { key } = await billed.newKey(100)
    const response = await billed.send({ path: '/v1/chat/completions' }, ask(part, model), key)
    await response.arrayBuffer()
    billed.upstream.beforeAnswer = null
    expect(sumOfBills(billed.upstream.bills.slice(before))).toBeLessThanOrEqual(reserved)
    expect(reserved).toBeGreaterThan(0)
  })
})
