// Prints how long the search for personal data and secrets takes, in usual texts and in hostile ones.
import { readdirSync, readFileSync } from 'node:fs'
import { pii } from '../packages/service/src/policies/kinds/pii.js'
import { secrets } from '../packages/service/src/policies/kinds/secrets.js'

// Of one slice. A test on a slower machine asks for more.
const maxMs = Number(process.argv[2] ?? 20)
const length = 1 << 16
const entities = ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address']
const [piiFinder] = pii.compile({ entities }).finders
const [secretsFinder] = secrets.compile({}).finders
const corpus = 'packages/service/src/policies/detect/corpus'

const usual = {
  prose:
    'The committee met on Tuesday to discuss the proposal, drafted over weeks. The vote was 12 to 3 in favour. ',
  JSON: '{"id":123,"name":"Widget","price":9.99,"tags":["a","b"],"created":"2024-01-15T10:30:00Z"},',
  'this script': readFileSync('scripts/measure-detection-cost.mjs', 'utf8'),
  'the corpus': readdirSync(corpus)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(`${corpus}/${name}`, 'utf8').replace(/[⟦⟧¬]/g, ''))
    .join('\n'),
}

/** Texts that make one detector or another start as often, or read as far, as it can. */
// biome-ignore format: a list
const hostile = [
  '1 ', '415 555 ', '4111 ', '0-1', '+1 ', '+12345678901234', '(415) ', '1234567890', '@', 'a@', 'a.b@c.d.', '1.2.3.4 ', '1.',
  `${'a'.repeat(63)}@b.`, 'a://b:c', 'http://', 'a:b@c.de ', ':', 'ab:', 'a::b ', '2001:db8:', 'DE89 ', 'DE89370400440532013001 ',
  'MT84MALT0110', 'eyJ', 'eyJhbGciOiJIUzI1NiJ9.', ' eyJhbGciOiJIUzI1NiJ9.eyJ', `.eyJ${'a'.repeat(508)}`, '-', '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----\n', `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n`, 'A', ' sk-a', ` sk-proj-${'a'.repeat(199)}`,
  ` glpat-${'a1'.repeat(160)}`, 'AKIAIOSFODNN7ABCDEFG ', 'ghp_', `ghp_${'a'.repeat(36)} `, 'hvs.', 'AC', 'password=',
  `password="${'aB1!'.repeat(31)}`, 'bearer ', `authorization: bearer ${'a'.repeat(500)}`, '=', '\u200b', '1\u200b', '４１１１ ', '𝟏',
  '邮箱zhang@例子.公司。', 'phone: 1', 'ssn 123-45-678 ', ' ', '\n', '-us1', '123456789:AA', '.abcdef.abc', '\ud835', '{"a":1,',
]

const fill = (unit) => Buffer.from(unit.repeat(Math.ceil(length / unit.length)).slice(0, length)).toString()

/** One slice per step. */
function* scan(finder, text) {
  for (let from = 0; from < text.length; from += finder.strideChars)
    yield finder.find(text, from, Math.min(text.length, from + finder.strideChars))
}

/**
 * The best time of each slice, in processor time: other processes do not count, and of a few rounds each slice has one in
 * which neither the compiler nor the garbage collector ran.
 */
function measureSlices(finder, text) {
  const best = []
  for (let round = 0; round < 4; round++) {
    const running = scan(finder, text)
    for (let slice = 0; ; slice++) {
      const before = process.cpuUsage()
      if (running.next().done) break
      const { user, system } = process.cpuUsage(before)
      best[slice] = Math.min(best[slice] ?? Infinity, (user + system) / 1000)
    }
  }
  const perMiB = (best.reduce((sum, ms) => sum + ms, 0) * (1 << 20)) / length
  return { slowest: Math.max(...best), perMiB }
}

function measure(name, unit) {
  const text = fill(unit)
  return {
    name,
    pii: measureSlices(piiFinder, text),
    secrets: measureSlices(secretsFinder, text),
  }
}

const show = (ms) => ms.toFixed(1).padStart(7)

console.log('ms per MiB, ms of the slowest slice: personal data, secrets')
const rows = hostile.map((unit) => measure(JSON.stringify(unit.slice(0, 24)), unit))
for (const [name, unit] of Object.entries(usual)) rows.push(measure(name, unit))
const slowest = ({ pii, secrets }) => Math.max(pii.slowest, secrets.slowest)
for (const row of rows.sort((a, b) => slowest(b) - slowest(a))) {
  const { pii, secrets } = row
  console.log(
    `${row.name.padEnd(28)}${show(pii.perMiB)}${show(pii.slowest)}  ${show(secrets.perMiB)}${show(secrets.slowest)}`,
  )
}
if (rows.some((row) => slowest(row) >= maxMs)) process.exit(1)
