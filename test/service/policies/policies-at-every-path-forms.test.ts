import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePng, makeWav } from '../../harness/billing/make-files.js'
import { anyText, composed, said, strings, word } from '../../harness/policies/forbidden-forms.js'
import { anyName, casesOf } from '../../harness/policies/forbidden-text-paths.js'
import { restartRandom } from '../../harness/run/seed.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// What a policy forbids, in every form that it is seen through, at every place of a request that is a form and of an answer that is no
// JSON: in its fields, their names, the names, types and contents of its files.

interface Form {
  path: string
  fields: Record<string, string>
  file: { field: string; name: string; type: string; bytes: Buffer }
  answer: { type: string; body: string }
}

const recording = { field: 'file', name: 'hello.wav', type: 'audio/wav', bytes: makeWav(1) }
const picture = { field: 'image', name: 'stick.png', type: 'image/png', bytes: makePng(64, 64) }
const images = JSON.stringify({ created: 1_760_000_000, data: [{ b64_json: 'iVBORw0KGgo=' }] })
const json = { type: 'application/json' }
const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nGood morning.\n'

const forms: Record<string, Form> = {
  transcriptions: {
    path: '/v1/audio/transcriptions',
    fields: { model: 'whisper-1', prompt: 'Names: Ann', language: 'en', response_format: 'verbose_json' },
    file: recording,
    answer: {
      ...json,
      body: JSON.stringify({
        task: 'transcribe',
        language: 'english',
        duration: 1.5,
        text: 'Good morning.',
        segments: [
          { id: 0, start: 0, end: 1.5, text: 'Good morning.', tokens: [50364, 2205], temperature: 0 },
        ],
        words: [{ word: 'Good', start: 0, end: 0.5 }],
        usage: { type: 'duration', seconds: 2 },
      }),
    },
  },
  'transcriptions as text': {
    path: '/v1/audio/transcriptions',
    fields: { model: 'whisper-1', response_format: 'srt' },
    file: recording,
    answer: { type: 'text/plain; charset=utf-8', body: subtitles },
  },
  translations: {
    path: '/v1/audio/translations',
    fields: { model: 'whisper-1', prompt: 'Names: Ann', response_format: 'vtt' },
    file: recording,
    answer: { type: 'text/vtt; charset=utf-8', body: `WEBVTT\n\n${subtitles.replaceAll(',', '.')}` },
  },
  'image edits': {
    path: '/v1/images/edits',
    fields: { model: 'dall-e-2', prompt: 'A longer stick', n: '1', size: '256x256', user: 'ann' },
    file: picture,
    answer: { ...json, body: images },
  },
  'image variations': {
    path: '/v1/images/variations',
    fields: { model: 'dall-e-2', n: '1', size: '256x256', user: 'ann' },
    file: picture,
    answer: { ...json, body: images },
  },
}

let gateway: TestGateway
const keys = { input: '', output: '' }
let answer: Form['answer'] = { type: 'application/json', body: '{}' }

beforeAll(async () => {
  restartRandom()
  gateway = await shareTestGateway()
  for (const phase of ['input', 'output'] as const) {
    const { key } = await createKeyWithPolicies(gateway, [
      { kind: 'keywords', config: { words: [word, composed] }, phase, action: 'block' },
      { kind: 'secrets', phase, action: 'redact' },
      { kind: 'pii', config: { entities: ['credit_card'] }, phase, action: 'block' },
    ])
    keys[phase] = key
  }
  gateway.upstream.answerWith((_, response) => {
    response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
  })
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.upstream.seen.length = 0
})

const secret = 'AKIAQ3EGUZ5TXPJ7NK4D'

function makeForm({ fields, file: { field, name, type, bytes } }: Pick<Form, 'fields' | 'file'>): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  form.append(field, new Blob([bytes], { type }), name)
  return form
}

/** A field must not be a part of another one: what a form cannot say is no case. */
function* formCases({ fields, file }: Form): Generator<{ name: string; form: FormData }> {
  for (const field of Object.keys(fields)) {
    const [form, text] = anyText()
    yield { name: `${form} as ${field}`, form: makeForm({ fields: { ...fields, [field]: text }, file }) }
  }
  for (const [form, make] of Object.entries(strings)) {
    const text = make()
    yield {
      name: `${form} in a new field`,
      form: makeForm({ fields: { ...fields, [anyName()]: text }, file }),
    }
    yield {
      name: `${form} as a file`,
      form: makeForm({ fields, file: { ...file, bytes: Buffer.from(text) } }),
    }
  }
  for (const text of [word, said, composed, '4111 1111 1111 1111']) {
    yield { name: `${text} as a name`, form: makeForm({ fields: { ...fields, [text]: 'x' }, file }) }
    yield { name: `${text} as the name of a file`, form: makeForm({ fields, file: { ...file, name: text } }) }
  }
  yield { name: `${word} as a type`, form: makeForm({ fields, file: { ...file, type: `audio/${word}` } }) }
}

describe.each(Object.entries(forms))('%s', (_, form) => {
  const { path } = form

  test('passes, with nothing forbidden in it', async () => {
    answer = form.answer
    for (const key of Object.values(keys)) {
      const response = await gateway.send(path, makeForm(form), { key })
      expect(response.status, await response.clone().text()).toBe(200)
      expect(await response.text()).toBe(form.answer.body)
    }
  })

  test('takes nothing forbidden to the provider, wherever it stands', async () => {
    answer = form.answer
    for (const { name, form: sent } of formCases(form)) {
      const before = gateway.upstream.seen.length
      const response = await gateway.send(path, sent, { key: keys.input })
      const forwarded = gateway.upstream.seen[before]?.raw.toString('latin1')
      if (forwarded !== undefined && !name.startsWith('a key')) expect.fail(`${name} was forwarded`)
      expect(forwarded ?? '', name).not.toContain(secret)
      if (forwarded === undefined) expect(response.status, name).toBeGreaterThanOrEqual(400)
    }
  })

  test('brings nothing forbidden to the caller, wherever it stands', async () => {
    const { type, body } = form.answer
    const bodies = type.startsWith('application/json')
      ? [...casesOf(JSON.parse(body))]
      : Object.entries(strings).flatMap(([name, make]) => [
          { name, json: make() },
          // Blanks within base64 end it where other words stand beside it.
          ...(name === 'base64 in blanks' ? [] : [{ name, json: body.replace('Good', make) }]),
        ])
    for (const { name, json: changed } of bodies) {
      answer = { type, body: changed }
      const response = await gateway.send(path, makeForm(form), { key: keys.output })
      const text = await response.text()
      if (response.status === 200 && !name.startsWith('a key'))
        expect.fail(`${name} was let through: ${changed.slice(0, 2_000)}`)
      expect(text, name).not.toContain(secret)
    }
  })
})

describe('speech', () => {
  const body = {
    model: 'tts-1',
    input: 'Good morning.',
    voice: 'alloy',
    instructions: 'Softly.',
    response_format: 'mp3',
    speed: 1,
  }

  test('takes nothing forbidden to the provider, wherever it stands', async () => {
    answer = { type: 'audio/mpeg', body: 'sound' }
    expect((await gateway.send('/v1/audio/speech', body, { key: keys.input })).status).toBe(200)
    for (const { name, json: sent } of casesOf(body)) {
      const before = gateway.upstream.seen.length
      await gateway.send('/v1/audio/speech', sent, { key: keys.input })
      const forwarded = gateway.upstream.seen[before]?.raw.toString()
      if (forwarded !== undefined && !name.startsWith('a key')) expect.fail(`${name} was forwarded: ${sent}`)
      expect(forwarded ?? '', name).not.toContain(secret)
    }
  })

  test('is not made where a policy must read answers: nobody can read a recording', async () => {
    const response = await gateway.send('/v1/audio/speech', body, { key: keys.output })
    expect(response.status).toBe(403)
    expect(gateway.upstream.seen).toHaveLength(0)
  })
})
