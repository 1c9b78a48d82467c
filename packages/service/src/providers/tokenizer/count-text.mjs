// Plain JavaScript because a worker thread loads it too: Node 20 cannot start a worker from TypeScript,
// and this way the sources, the tests and the build all run the same file.
import { brotliDecompressSync } from 'node:zlib'
import { growingCharacters, packedWeights } from './claude-weights.mjs'

// The library merges byte pairs in time quadratic in the length of a word: 8,000 times one letter takes
// 50 ms, 1 MiB of it would take a quarter of an hour. So it is handed at most this many characters at once.
const MAX_PIECE_CHARS = 256

// The library caches words as slices that keep the whole text they were cut from alive: with its default of
// 100,000 words, 200 prompts of 1 MiB held 210 MB. Without any cache, Chinese text takes 25 times as long.
const CACHED_WORDS = 1_000

// Counts of words that came before, for texts are made of the same few thousand. 54 KiB of documentation
// that came before take 10 ms instead of 15, on a busy machine.
// Only short words: V8 copies slices of up to 12 characters, and longer ones would keep their texts alive.
const COUNTED_WORDS = 8_192
const SHORT_WORD_CHARS = 12

// What Anthropic documents of its newer encodings: up to this much more than the older one for the same text.
const NEWER_CLAUDE_PERCENT = 135

// Text such as <|endoftext|> in a prompt is counted as the ordinary text it is, instead of being refused.
const asOrdinaryText = { disallowedSpecial: new Set() }

/**
 * Counters by family. `o200k` brings `claude` and `bytes` along, which are counted with its help; loading it takes 0.2 s and
 * 28 MB. `cl100k` takes as long again, so it is loaded by the first who asks.
 */
export function createTextCounters() {
  // Bounded: two encodings.
  const loading = new Map()
  // Bounded: four counters.
  const loaded = new Map()

  async function start(tokenizer) {
    if (tokenizer === 'cl100k') loaded.set('cl100k', createExactCounter(await loadCl100k()))
    else {
      const encoding = await loadO200k()
      loaded.set('o200k', createExactCounter(encoding))
      loaded.set('claude', createClaudeCounter(encoding))
      loaded.set('bytes', createByteCounter(loaded.get('o200k')))
    }
  }

  return {
    async load(tokenizer) {
      const encoding = tokenizer === 'cl100k' ? 'cl100k' : 'o200k'
      if (!loading.has(encoding)) loading.set(encoding, start(encoding))
      await loading.get(encoding)
      return loaded.get(tokenizer)
    },
    loaded: (tokenizer) => loaded.get(tokenizer),
    /** Drops cached words and with them the texts that they keep alive. */
    forget() {
      for (const counter of loaded.values()) counter.forget()
    },
  }
}

let o200k

/** The same for everyone in a thread. */
const loadO200k = () => {
  o200k ??= readO200k()
  return o200k
}

async function readO200k() {
  const [{ GptEncoding }, { default: ranks }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    import('gpt-tokenizer/GptEncoding'),
    import('gpt-tokenizer/bpeRanks/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ])
  return prepare(
    GptEncoding.getEncodingApi('o200k_base', () => ranks),
    O200K_TOKEN_SPLIT_REGEX,
  )
}

async function loadCl100k() {
  const [{ GptEncoding }, { default: ranks }, { CL100K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    import('gpt-tokenizer/GptEncoding'),
    import('gpt-tokenizer/bpeRanks/cl100k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ])
  return prepare(
    GptEncoding.getEncodingApi('cl100k_base', () => ranks),
    CL100K_TOKEN_SPLIT_REGEX,
  )
}

function prepare(encoding, splitter) {
  encoding.setMergeCacheSize(CACHED_WORDS)
  // As the encoding does: words are told apart first, then each is counted by itself. Every character belongs to one.
  return { encoding, words: new RegExp(splitter) }
}

/** The sum of what `costOf` says of each word. `between` adds what two words cost that meet at a place. */
function createWordSum({ encoding, words }, costOf, between) {
  // Bounded: 8,192 words; then it begins again.
  const known = new Map()

  function costOfWord(word) {
    const before = known.get(word)
    if (before !== undefined) return before
    const cost = costOf(word)
    if (word.length > SHORT_WORD_CHARS) return cost
    if (known.size >= COUNTED_WORDS) known.clear()
    known.set(word, cost)
    return cost
  }

  function sumPiece(piece) {
    let sum = 0
    let start = 0
    words.lastIndex = 0
    while (words.test(piece)) {
      sum += costOfWord(piece.slice(start, words.lastIndex))
      if (between !== undefined && start > 0) sum += between(piece, start)
      start = words.lastIndex
    }
    return sum
  }

  return {
    of(text) {
      let sum = 0
      for (let start = 0; start < text.length; ) {
        const end = findCut(text, start, MAX_PIECE_CHARS)
        sum += sumPiece(text.slice(start, end))
        if (between !== undefined && end < text.length) sum += between(text, end)
        start = end
      }
      return sum
    },
    forget: encoding.clearMergeCache,
  }
}

function createExactCounter(prepared) {
  const tokens = createWordSum(prepared, (word) => prepared.encoding.countTokens(word, asOrdinaryText))
  return {
    add(text, total) {
      const count = tokens.of(text)
      total.estimate += count
      total.bound += count
    },
    forget: tokens.forget,
  }
}

function createByteCounter(o200k) {
  const expected = { estimate: 0, bound: 0 }
  return {
    add(text, total) {
      expected.estimate = 0
      o200k.add(text, expected)
      total.estimate += expected.estimate
      total.bound += maxTokensOf(text)
    },
    forget() {},
  }
}

// Seams are counted beside weights, in one number. No text that is counted at once weighs as much.
const SEAM = 2 ** 26

/**
 * Each token of o200k weighs what it is in the public vocabulary of Claude. Where two tokens meet inside of what Claude takes for
 * one word, the seam can cost up to three more: docs/decisions/0017-input-bound.md has what was measured.
 */
function createClaudeCounter(prepared) {
  const weights = brotliDecompressSync(Buffer.from(packedWeights, 'base64'))

  function costOf(word) {
    const tokens = prepared.encoding.encode(word, asOrdinaryText)
    let cost = costOfSeams(tokens.length, word) * SEAM
    for (const token of tokens) cost += weights[token]
    return cost
  }

  const costs = createWordSum(prepared, costOf, (text, at) => costOfSeam(text, at) * SEAM)
  return {
    add(text, total) {
      const cost = costs.of(text)
      const weight = cost % SEAM
      const seams = Math.floor(cost / SEAM)
      const growth = growthOf(text)
      const older = weight + seams + Math.min(seams, 1) + growth
      const bound = Math.min(
        Math.ceil((older * NEWER_CLAUDE_PERCENT) / 100),
        Buffer.byteLength(text) + growth,
      )
      total.estimate += Math.min(Math.round((weight * NEWER_CLAUDE_PERCENT) / 100), bound)
      total.bound += bound
    },
    forget: costs.forget,
  }
}

function costOfSeams(tokens, word) {
  if (tokens === 1) return 0
  // Other scripts have few tokens of several letters, which are what can fall apart at a seam.
  if (word.charCodeAt(1) > LAST_LONG && word.charCodeAt(word.length - 1) > LAST_LONG) return tokens - 1
  return Math.max(tokens === 2 ? 3 : 3 * tokens - 2, Math.ceil(word.length / 5))
}

/** Claude keeps letters together, and digits, and marks. A blank begins a word. */
function costOfSeam(text, at) {
  const after = classOf(text.charCodeAt(at))
  if (after === BLANK) return 0
  if (after !== BEYOND_ASCII && after !== classOf(text.charCodeAt(at - 1))) return 0
  return after === DIGIT || text.charCodeAt(at) > LAST_LONG ? 1 : 2
}

// Latin, Greek and Cyrillic, of which there are long tokens.
const LAST_LONG = 0x52f
const LETTER = 0
const DIGIT = 1
const BLANK = 2
const MARK = 3
const BEYOND_ASCII = 4

function classOf(code) {
  if (code > 127) return BEYOND_ASCII
  if ((code > 96 && code < 123) || (code > 64 && code < 91)) return LETTER
  if (code > 47 && code < 58) return DIGIT
  return code === SPACE || (code > 8 && code < 14) ? BLANK : MARK
}

const growing = new RegExp(`[${growingCharacters}]`, 'gu')

/** Bytes that a text has more of as some encodings normalise it: there is a ligature that becomes eighteen letters. */
function growthOf(text) {
  let bytes = 0
  for (const character of text.match(growing) ?? [])
    bytes += Buffer.byteLength(character.normalize('NFKC')) - Buffer.byteLength(character)
  return bytes
}

/** A token stands for at least one byte, so no encoding has more tokens than bytes. */
export function maxTokensOf(text) {
  const bytes = Buffer.byteLength(text)
  return bytes === text.length ? bytes : bytes + growthOf(text)
}

/**
 * Where to end a piece that starts at `start` and has about `maxChars` characters. The last place where the
 * encoding would split anyway is taken, and the count stays exact. Text without one (a long word, base64,
 * Chinese without spaces) is cut where the piece is full, which costs a token or so at each cut.
 */
export function findCut(text, start, maxChars) {
  const full = start + maxChars
  if (full >= text.length) return text.length
  for (let at = full; at > start; at -= 1) {
    const before = text.charCodeAt(at - 1)
    const after = text.charCodeAt(at)
    if (after === SPACE && isVisibleAscii(before)) return at
    if (before === NEWLINE && isVisibleAscii(after) && after !== SLASH) return at
  }
  return isLowSurrogate(text.charCodeAt(full)) ? full + 1 : full
}

const NEWLINE = 10
const SPACE = 32
const SLASH = 47

function isVisibleAscii(code) {
  return code > SPACE && code < 127
}

function isLowSurrogate(code) {
  return code >= 0xdc00 && code <= 0xdfff
}
