import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCorpus } from '../../../packages/service/src/policies/detect/corpus/read-corpus.js'
import { findPii, findSecrets, type PiiEntity } from '../../../packages/service/src/policies/detect/index.js'
import { readEvents, sendEvents } from '../../harness/policies/dialect-texts.js'
import { sendJson } from '../../harness/providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  embeddingAnswer,
  messageAnswer,
  messageEvents,
  responseAnswer,
  responseMessage,
  textBlock,
} from '../../harness/providers/vendor-answers.js'
import { shareTestGateway, type TestGateway } from '../../harness/service/gateway.js'
import { createKeyWithPolicies } from '../../harness/service/key-with-policies.js'

// Every text of the detectors' corpus through the gateway: in each dialect, as request, answer and stream of single
// characters. It must come out as the detectors alone would have it.

const folder = new URL('../../../packages/service/src/policies/detect/corpus/', import.meta.url)
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .flatMap((name) => readCorpus(readFileSync(new URL(name, folder), 'utf8')))
  .map(({ text }) => text)
  // Policies see through more invisible characters than the detectors do by themselves.
  .filter((text) => !/\p{Default_Ignorable_Code_Point}{3}/u.test(text))
const entities: PiiEntity[] = ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address']

/** Numbers of placeholders depend on what else is in the call. */
const withoutNumbers = (text: string) => text.replace(/\[([A-Z_]+)_\d+\]/g, '[$1]')

function redact(text: string): string {
  const found = [...findPii(text, new Set(entities)), ...findSecrets(text)]
  let redacted = ''
  let at = 0
  // Where both found something, it goes as one, named after the longer.
  for (const { start, end, placeholder } of mergeOverlaps(found)) {
    redacted += `${text.slice(at, start)}[${placeholder}]`
    at = end
  }
  return withoutNumbers(redacted + text.slice(at))
}

function mergeOverlaps<T extends { start: number; end: number }>(found: T[]): T[] {
  const merged: T[] = []
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (!last || each.start >= last.end) merged.push(each)
    else {
      const longer = each.end - each.start > last.end - last.start ? each : last
      merged[merged.length - 1] = { ...longer, start: last.start, end: Math.max(last.end, each.end) }
    }
  }
  return merged
}

const groups = Array.from({ length: Math.ceil(samples.length / 200) }, (_, i) =>
  samples.slice(i * 200, (i + 1) * 200),
)

let gateway: TestGateway
let key: string

beforeAll(async () => {
  gateway = await shareTestGateway()
  const redacting = { action: 'redact', phase: 'both' }
  const governed = await createKeyWithPolicies(gateway, [
    { kind: 'pii', config: { entities }, ...redacting },
    { kind: 'secrets', ...redacting },
  ])
  key = governed.key
})
afterAll(() => gateway.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Loose = any

test('the corpus is there', () => {
  expect(samples.length).toBeGreaterThan(300)
  expect(samples.filter((text) => redact(text) !== text).length).toBeGreaterThan(150)
})

describe('requests', () => {
  const dialects: [string, (texts: string[]) => object, (body: Loose) => string[]][] = [
    [
      '/v1/chat/completions',
      (texts) => ({ model: 'gpt-4o-mini', messages: texts.map((content) => ({ role: 'user', content })) }),
      (body) => body.messages.map(({ content }: Loose) => content),
    ],
    [
      '/v1/responses',
      (texts) => ({
        model: 'gpt-4o-mini',
        input: [{ role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) }],
      }),
      (body) => body.input[0].content.map(({ text }: Loose) => text),
    ],
    [
      '/v1/messages',
      (texts) => ({
        model: 'claude-sonnet-4-6',
        max_tokens: 10,
        messages: [
          {
            role: 'user',
            content: texts.map((content) => ({ type: 'tool_result', tool_use_id: 't', content })),
          },
        ],
      }),
      (body) => body.messages[0].content.map(({ content }: Loose) => content),
    ],
    ['/v1/embeddings', (input) => ({ model: 'text-embedding-3-small', input }), (body) => body.input],
  ]

  test.each(dialects)('to %s are redacted as the detectors say', async (path, compose, read) => {
    gateway.upstream.answerWith((_, response) =>
      sendJson(response, 200, path.endsWith('embeddings') ? embeddingAnswer([], 'float') : chatAnswer()),
    )
    for (const texts of groups) {
      const response = await gateway.send(path, compose(texts), { key })
      expect(response.status).toBe(200)
      const sent = read(gateway.upstream.seen.at(-1)?.body).map(withoutNumbers)
      expect(sent).toEqual(texts.map(redact))
    }
  })
})

/** Single characters as a program has them, half of an emoji among them. */
const characters = (text: string) => text.split('')

describe('answers', () => {
  interface Form {
    path: string
    body: object
    whole(texts: string[]): object
    stream(texts: string[]): object[]
    readWhole(answer: Loose): string[]
    readStream(events: Loose[], count: number): string[]
  }
  const sum = (count: number, pieces: [index: number, text: string][]): string[] => {
    const texts = Array.from({ length: count }, () => '')
    for (const [index, text] of pieces) texts[index] += text
    return texts
  }
  const forms: Form[] = [
    {
      path: '/v1/chat/completions',
      body: { model: 'gpt-4o-mini', messages: [], n: 100 },
      whole: (texts) => chatAnswer(...texts.map((content) => ({ content }))),
      stream: (texts) =>
        texts.flatMap((text, index) => [
          ...characters(text).map((content) => chatChunk({ content }, null, index)),
          chatChunk({}, 'stop', index),
        ]),
      readWhole: (answer) => answer.choices.map(({ message }: Loose) => message.content),
      readStream: (events, count) =>
        sum(
          count,
          events.flatMap(({ choices = [] }) =>
            choices.map(({ index, delta }: Loose) => [index, delta.content ?? '']),
          ),
        ),
    },
    {
      path: '/v1/responses',
      body: { model: 'gpt-4o-mini', input: '' },
      whole: (texts) => responseAnswer(...texts.map(responseMessage)),
      stream: (texts) => [
        ...texts.flatMap((text, output_index) => [
          ...characters(text).map((delta) => ({
            type: 'response.output_text.delta',
            output_index,
            content_index: 0,
            delta,
          })),
          { type: 'response.output_text.done', output_index, content_index: 0, text },
        ]),
        { type: 'response.completed', response: responseAnswer(...texts.map(responseMessage)) },
      ],
      readWhole: (answer) => answer.output.map(({ content }: Loose) => content[0].text),
      readStream(events, count) {
        const said = sum(
          count,
          events.flatMap(({ type, output_index, delta }) =>
            type === 'response.output_text.delta' ? [[output_index, delta]] : [],
          ),
        )
        const repeated = events.at(-1).response.output.map(({ content }: Loose) => content[0].text)
        expect(said.map(withoutNumbers)).toEqual(repeated.map(withoutNumbers))
        return said
      },
    },
    {
      path: '/v1/messages',
      body: { model: 'claude-sonnet-4-6', max_tokens: 10, messages: [] },
      whole: (texts) => messageAnswer(texts.map((text) => ({ type: 'text', text }))),
      stream: (texts) => messageEvents(texts.map((text) => textBlock(...characters(text)))),
      readWhole: (answer) => answer.content.map(({ text }: Loose) => text),
      readStream: (events, count) =>
        sum(
          count,
          events.flatMap(({ index, delta }) => (delta?.text === undefined ? [] : [[index, delta.text]])),
        ),
    },
  ]

  test.each(forms)('of $path are redacted as the detectors say, whole', async (form) => {
    for (const texts of groups) {
      gateway.upstream.answerWith((_, response) => sendJson(response, 200, form.whole(texts)))
      const response = await gateway.send(form.path, form.body, { key })
      expect(form.readWhole(await response.json()).map(withoutNumbers)).toEqual(texts.map(redact))
    }
  })

  // Each text through one of the dialects: all through all would take a minute.
  test.each(forms)('of $path are redacted as the detectors say, in single characters', async (form) => {
    for (const group of groups) {
      const texts = group.filter((_, i) => i % forms.length === forms.indexOf(form))
      gateway.upstream.answerWith((_, response) => {
        const events = form.stream(texts).map((event) => `data: ${JSON.stringify(event)}\n\n`)
        const isChat = form.path.includes('chat')
        return sendEvents(response, `${events.join('')}${isChat ? 'data: [DONE]\n\n' : ''}`, 65_536)
      })
      const response = await gateway.send(form.path, { ...form.body, stream: true }, { key })
      const events = readEvents(await response.text())
      expect(form.readStream(events, texts.length).map(withoutNumbers)).toEqual(texts.map(redact))
    }
  })
})
