import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../harness/gateway.js'
import { dialectNames, readEvents, say, spoken } from '../harness/said.js'
import { waitFor } from '../harness/wait.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const capture = (mode: string, retentionDays = 30, api = gateway.service.api) =>
  api.put('/v1/settings/content-capture', { mode, retentionDays })

async function contentOf(response: Response, api = gateway.service.api) {
  const id = response.headers.get('x-tallystick-request-id')
  return await waitFor('the content', async () => {
    const { body } = await api.get(`/v1/calls/${id}/content`)
    return body.state === 'pending' ? null : body
  })
}

describe.each(dialectNames)('%s', (dialect) => {
  test('in full, request and answer are kept as they were, a stream as one answer', async () => {
    await capture('full')
    gateway.upstream.answerWith(say(dialect, 'It is said.'))
    const { path, body, whole } = spoken[dialect]
    const sent = body({ temperature: 0.25 })
    const plain = await gateway.send(path, sent)
    expect(await plain.json()).toEqual(whole('It is said.'))
    const captured = await contentOf(plain)
    expect(captured).toMatchObject({ state: 'captured', mode: 'full' })
    expect(captured.attempts[0].request.body).toEqual(sent)
    expect(captured.attempts[0].answer.body).toEqual(whole('It is said.'))
    const streamed = await gateway.send(path, body({ stream: true }))
    readEvents(await streamed.text())
    const kept = await contentOf(streamed)
    expect(spoken[dialect].readWhole(kept.attempts[0].answer.body)).toBe('It is said.')
  })
})
