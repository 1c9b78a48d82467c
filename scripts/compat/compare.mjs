// What a client sent beside what arrived, and what was answered beside what came back.
import { isOpenHeader } from '../../packages/service/src/providers/transport/open-headers.ts'
import { PromptCache } from './prompt-cache.mjs'

/** @typedef {import('./recorder.mjs').Sent} Sent @typedef {import('./upstream.mjs').Arrived} Arrived */

const endpoints = /^\/v1\/(chat\/completions|responses|messages)(\?|$)/

/** Headers that the gateway and its connection write themselves, and those that it passes from every client. */
const own = [
  'host',
  'connection',
  'content-type',
  'content-length',
  'accept-encoding',
  'authorization',
  'x-api-key',
]
const passed = ['accept', 'idempotency-key']

// What docs/use/calls.md says that is changed: a member that is put in.
const added =
  /^,?\s*"(stream_options|max_tokens|max_completion_tokens|max_output_tokens)":\s*(\{[^{}]*\}|\d+)\s*,?$/

/** One for the whole run: what a client says again in its next call hits. */
const caches = { direct: new PromptCache(), through: new PromptCache() }

/**
 * Every difference in words; none when all is as it should be.
 * @param {readonly Sent[]} sent @param {readonly Arrived[]} arrived
 */
export function compareAll(sent, arrived) {
  const differences = []
  const notes = new Set()
  let calls = 0
  let cachedBytes = 0
  for (const each of sent) {
    if (!endpoints.test(each.path) || each.method !== 'POST') {
      notes.add(`${each.method} ${each.path.split('?')[0]}: ${each.status}`)
      continue
    }
    calls++
    const number = /^up_(\d+)$/.exec(String(each.answerHeaders['x-request-id']))?.[1]
    const found = arrived.find((other) => String(other.number) === number)
    if (!found) {
      differences.push(
        `${each.path} was answered ${each.status} by the gateway: ${Buffer.concat(each.answer)}`.slice(
          0,
          300,
        ),
      )
      continue
    }
    differences.push(...compareRequest(each, found, notes), ...compareAnswer(each, found))
    const direct = caches.direct.read(each.body)
    const through = caches.through.read(found.body)
    cachedBytes += through
    if (direct !== through)
      differences.push(`${each.path} hits the cache with ${through} bytes instead of ${direct}`)
  }
  return { differences, notes: [...notes], calls, cachedBytes }
}

/** @param {Sent} sent @param {Arrived} arrived @param {Set<string>} notes */
function compareRequest(sent, arrived, notes) {
  const differences = []
  const insertion = findInsertion(sent.body, arrived.body)
  if (insertion === null || (insertion !== '' && !added.test(insertion)))
    differences.push(
      `${sent.path}: the body was changed: ${insertion ?? 'something was taken out or replaced'}`.slice(
        0,
        300,
      ),
    )
  else if (insertion !== '') notes.add(`adds ${insertion.replace(/^,|,$/g, '')}`)
  if (queryOf(sent.path) !== queryOf(arrived.path))
    differences.push(`${sent.path} arrived as ${arrived.path}`)
  for (const [name, value] of Object.entries(sent.headers)) {
    const wanted = isOpenHeader(name) || passed.includes(name)
    if (wanted && arrived.headers[name] !== value)
      differences.push(`${sent.path}: ${name} arrived as ${arrived.headers[name]}`)
  }
  for (const name of Object.keys(arrived.headers)) {
    const isKnown = own.includes(name) || isOpenHeader(name) || passed.includes(name)
    if (!isKnown) differences.push(`${sent.path}: the header ${name} should not have arrived`)
  }
  if (JSON.stringify(arrived.headers).includes('tallystick_sk_')) differences.push('the virtual key arrived')
  return differences
}

/** @param {Sent} sent @param {Arrived} arrived */
function compareAnswer(sent, arrived) {
  const given = Buffer.concat(arrived.answer).toString()
  const got = Buffer.concat(sent.answer).toString()
  // Whoever hung up saw the beginning.
  if (sent.closed) return given.startsWith(got) ? [] : [`${sent.path}: the answer was changed`]
  const asked = JSON.parse(sent.body.toString()).stream_options?.include_usage === true
  const expected = asked ? given : given.replace(/data: (?=[^\n]*"choices":\[\])[^\n]*\n\n/, '')
  return got === expected ? [] : [`${sent.path}: the answer was changed`]
}

/** What was put in at one place; null when that does not explain the difference. */
function findInsertion(before, after) {
  if (before.equals(after)) return ''
  if (after.length <= before.length) return null
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  const rest = before.length - start
  if (!before.subarray(start).equals(after.subarray(after.length - rest))) return null
  return after.subarray(start, after.length - rest).toString()
}

const queryOf = (path) => path.split('?')[1] ?? ''
