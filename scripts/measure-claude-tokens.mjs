// Measures how many tokens of the older, public Claude vocabulary each token of o200k is, and writes the table that
// packages/service/src/providers/tokenizer/ bounds the tokens of Claude with. The vocabulary is not part of this repository:
//
//   npm install --prefix /tmp/claude @anthropic-ai/tokenizer
//   node scripts/measure-claude-tokens.mjs /tmp/claude           writes the table
//   node scripts/measure-claude-tokens.mjs /tmp/claude --check   prints how the bound compares with real counts, and
//                                                                writes those that the tests compare with
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { createTextCounters, maxTokensOf } from '../packages/service/src/providers/tokenizer/count-text.mjs'

const table = 'packages/service/src/providers/tokenizer/claude-weights.mjs'
const vectors = 'test/vectors/claude-tokens.json'
const [folder, mode] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder that @anthropic-ai/tokenizer is installed in')
const claude = loadClaude(folder)

/** The encoding normalises what it reads. A newer one may not, so the worse of both is taken. */
function loadClaude(folder) {
  const load = createRequire(join(folder, 'package.json'))
  const { Tiktoken } = load('tiktoken/lite')
  const vocabulary = load('@anthropic-ai/tokenizer/claude.json')
  const encoding = new Tiktoken(vocabulary.bpe_ranks, vocabulary.special_tokens, vocabulary.pat_str)
  const count = (text) => encoding.encode_ordinary(text).length
  return (text) => Math.max(count(text), count(text.normalize('NFKC')))
}

function writeTable() {
  const weights = Uint8Array.from(o200k, weigh)
  const packed = brotliCompressSync(weights, { params: { [constants.BROTLI_PARAM_LGWIN]: 22 } })
  const lines = [
    '// Made by scripts/measure-claude-tokens.mjs.',
    '',
    '/** For each token of o200k, how many tokens of the public Claude vocabulary it is: bytes, by brotli, in base64. */',
    `export const packedWeights =\n  '${packed.toString('base64')}'`,
    '',
    '/** Characters that normalisation (NFKC) makes longer, as a class of a regular expression. */',
    `export const growingCharacters =\n  '${growingCharacters()}'`,
    '',
  ]
  writeFileSync(table, lines.join('\n'))
  console.log(
    `${o200k.length} tokens, ${packed.length} bytes packed, the heaviest weighs ${weights.reduce((a, b) => Math.max(a, b))}`,
  )
}

/** A piece of a character weighs its bytes. White space is split differently before something visible. */
function weigh(token) {
  const text = textOf(token)
  if (text === null) return token.length
  const followers = /\s$/.test(text) ? ['', 'x', '.', '1', '\n'] : ['']
  return Math.max(...followers.map((next) => claude(text + next) - (next === '' ? 0 : claude(next))))
}

function textOf(token) {
  if (typeof token === 'string') return token
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(token))
  } catch {
    return null
  }
}

function growingCharacters() {
  const ranges = []
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    if (Buffer.byteLength(character.normalize('NFKC')) <= Buffer.byteLength(character)) continue
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  const write = (code) => `\\\\u{${code.toString(16)}}`
  return ranges.map(([from, to]) => (from === to ? write(from) : `${write(from)}-${write(to)}`)).join('')
}

const prose = {
  english:
    'Tally sticks were split in two, so that neither party could alter the count alone. "Why?" she asked.',
  german:
    'Die Kerbhölzer wurden gespalten, damit keine Seite die Zählung allein verändern konnte; größte Vorsicht!',
  russian: 'Бирки раскалывали надвое, чтобы ни одна сторона не могла изменить счёт в одиночку.',
  greek: 'Τα ξυλάκια χωρίζονταν στα δύο, ώστε κανένα μέρος να μην αλλάζει μόνο του τον λογαριασμό.',
  arabic: 'كانت عصي العد تُشق إلى نصفين حتى لا يستطيع أي طرف تغيير الحساب وحده.',
  hebrew: 'מקלות הספירה נחצו לשניים כדי שאף צד לא יוכל לשנות את החשבון לבדו.',
  hindi: 'गिनती की छड़ियों को दो भागों में चीरा जाता था ताकि कोई भी पक्ष अकेले हिसाब न बदल सके।',
  bengali: 'গণনার কাঠি দুই ভাগে চেরা হতো, যাতে কোনো পক্ষ একা হিসাব বদলাতে না পারে।',
  thai: 'ไม้นับถูกผ่าออกเป็นสองซีกเพื่อไม่ให้ฝ่ายใดฝ่ายหนึ่งเปลี่ยนจำนวนได้เพียงลำพัง',
  chinese: '符木被劈成两半,这样任何一方都无法单独更改数目。合同各执一份,对合为凭。',
  japanese: '割り符は二つに割られ、どちらか一方だけでは数を書き換えられないようになっていた。',
  korean: '부절은 둘로 쪼개어져 어느 한쪽도 혼자서는 셈을 바꿀 수 없었다.',
  tamil: 'கணக்குக் குச்சிகள் இரண்டாகப் பிளக்கப்பட்டன, எனவே எந்தத் தரப்பும் தனியாக மாற்ற முடியாது.',
  vietnamese: 'Thẻ gỗ được chẻ đôi để không bên nào có thể một mình thay đổi con số đã ghi.',
}

async function check() {
  const counter = await createTextCounters().load('claude')
  const kept = []
  const measured = Object.entries(corpus()).map(([name, texts]) => {
    let [claudeTokens, estimate, bound, tightest] = [0, 0, 0, Number.POSITIVE_INFINITY]
    for (const [i, text] of texts.entries()) {
      const count = { estimate: 0, bound: 0 }
      counter.add(text, count)
      const tokens = claude(text)
      if (i < 12) kept.push({ text, tokens })
      const needed = Math.min(Math.ceil((tokens * 135) / 100), maxTokensOf(text))
      claudeTokens += tokens
      estimate += count.estimate
      bound += count.bound
      tightest = Math.min(tightest, count.bound / needed)
    }
    const ratio = (value) => (value / claudeTokens / 1.35).toFixed(2)
    const below = tightest < 1 ? ' below!' : ''
    return `${name.padEnd(24)} ${ratio(estimate)}  ${ratio(bound)}  ${tightest.toFixed(3)}${below}`
  })
  writeFileSync(
    vectors,
    `${JSON.stringify(
      kept.filter(({ text }) => text.length < 400),
      null,
      1,
    )}\n`,
  )
  console.log('by 1.35 times the count:  estimate  bound  smallest bound, also by the bytes')
  console.log(measured.join('\n'))
}

function corpus() {
  const tokens = o200k.filter((token) => typeof token === 'string')
  const hostile = {
    'any tokens': tokens,
    'small letters': tokens.filter((token) => /^[a-z]+$/.test(token)),
    'capital letters': tokens.filter((token) => /^[A-Z]+$/.test(token)),
    digits: tokens.filter((token) => /^\d+$/.test(token)),
    marks: tokens.filter((token) => /^[^\p{L}\p{N}]+$/u.test(token)),
    'beyond ASCII': tokens.filter((token) => /[^\0-\x7f]/.test(token)),
    'combining marks': tokens.filter((token) => /\p{M}/u.test(token)),
    'line ends': tokens.filter((token) => /[\r\n]/.test(token)),
  }
  const times = (count, make) => Array.from({ length: count }, make)
  const bytes = (length) => Buffer.from(times(length, () => Math.floor(random() * 256)))
  const file = (path) => [readFileSync(path, 'utf8').slice(0, 60_000)]
  return {
    ...Object.fromEntries(Object.entries(prose).map(([name, text]) => [name, [text]])),
    documentation: file('README.md'),
    code: file('packages/service/src/main/index.ts'),
    JSON: file('package-lock.json'),
    'indented JSON': [JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')), null, 8)],
    base64: times(300, () => bytes(240).toString('base64')),
    hexadecimal: times(300, () => bytes(100).toString('hex')),
    'runs of one character': times(0x3000, (_, code) => String.fromCodePoint(code).repeat(50)),
    'every character': times(0x30000, (_, code) => String.fromCodePoint(code)),
    ...Object.fromEntries(
      Object.entries(hostile).flatMap(([name, pool]) => [
        [`mixed: ${name}`, times(1000, () => mix(pool, 1 + Math.floor(random() * 40)))],
        [`repeated: ${name}`, times(1000, () => mix(pool, 1 + Math.floor(random() * 4)).repeat(20))],
      ]),
    ),
  }
}

const mix = (pool, length) => Array.from({ length }, () => pool[Math.floor(random() * pool.length)]).join('')

/** The same choices each time, so that what was written down can be measured again. */
let state = 14
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

if (mode === '--check') await check()
else writeTable()
