// This file is plain JavaScript because a worker thread loads it: Node 20 cannot start a worker from TypeScript. The sources,
// the tests and the build all run the same file.
import { brotliDecompressSync } from 'node:zlib'
import { growingCharacters, packedWeights } from './claude-weights.mjs'

// The library takes time quadratic in the length of a word: 8,000 times one letter takes 50 ms, and 1 MiB of it would take
// 15 minutes. It therefore gets at most this many characters at once.
const MAX_PIECE_CHARS = 256

// The library caches words as slices, and each slice keeps its whole text in memory: with the default of 100,000 words,
// 200 prompts of 1 MiB used 210 MB. Without a cache, Chinese text takes 25 times as long.
const CACHED_WORDS = 1_000

// The counts of this many words are kept, because texts consist of the same few thousand words: counting 54 KiB of
// documentation again takes 10 ms instead of 15. Only short words are kept: V8 copies slices of up to 12 characters, whereas
// longer ones would keep their whole text in memory.
const COUNTED_WORDS = 8_192
const SHORT_WORD_CHARS = 12

// Anthropic documents that its newer encodings produce up to 35 % more tokens than the older one for the same text.
const NEWER_CLAUDE_PERCENT = 135

// A prompt may contain text such as <|endoftext|>. It is counted as ordinary text instead of causing an error.
const asOrdinaryText = { disallowedSpecial: new Set() }

/**
 * Creates the counters of all tokenizers. Loading `o200k` also loads `claude` and `bytes`, which use it, and takes 0.2 s and
 * 28 MB. `cl100k` takes as long again and is loaded on first use.
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
    /** Clears the caches, which keep whole texts in memory. */
    forget() {
      for (const counter of loaded.values()) counter.forget()
    },
  }
}

let o200k

/** Loads the encoding once per thread. */
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
  // Like the encoding itself, counters split a text into words first and count each separately. Every character belongs to a word.
  return { encoding, words: new RegExp(splitter) }
}

/** Sums `costOf` over the words of a text. `between` returns an additional cost for each position where two words meet. */
function createWordSum({ encoding, words }, costOf, between) {
  // Bounded: 8,192 words; a full map is cleared.
  const counted = new Map()

  function costOfWord(word) {
    const cached = counted.get(word)
    if (cached !== undefined) return cached
    const cost = costOf(word)
    if (word.length > SHORT_WORD_CHARS) return cost
    if (counted.size >= COUNTED_WORDS) counted.clear()
    counted.set(word, cost)
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

// A cost holds two sums in one number: the weights of tokens, and seams in multiples of this value. The weights of a text
// that is counted at once never reach it.
const SEAM = 2 ** 26

/**
 * Estimates Claude's tokens from those of o200k. The weight of a token is the number of tokens that it has in Claude's public
 * vocabulary. A seam, where two tokens meet inside one word of Claude's, can cost up to three more tokens:
 * docs/decisions/0017-input-bound.md has the measurements.
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
  // Scripts beyond these have few tokens of several letters, and only such tokens can be split at a seam.
  if (word.charCodeAt(1) > LAST_LONG && word.charCodeAt(word.length - 1) > LAST_LONG) return tokens - 1
  return Math.max(tokens === 2 ? 3 : 3 * tokens - 2, Math.ceil(word.length / 5))
}

/** Claude's words consist of letters, of digits or of other characters; white space starts a new word. */
function costOfSeam(text, at) {
  const after = classOf(text.charCodeAt(at))
  if (after === WHITE_SPACE) return 0
  if (after !== BEYOND_ASCII && after !== classOf(text.charCodeAt(at - 1))) return 0
  return after === DIGIT || text.charCodeAt(at) > LAST_LONG ? 1 : 2
}

// The last character of Latin, Greek and Cyrillic, the scripts with long tokens.
const LAST_LONG = 0x52f
const LETTER = 0
const DIGIT = 1
const WHITE_SPACE = 2
const OTHER = 3
const BEYOND_ASCII = 4

function classOf(code) {
  if (code > 127) return BEYOND_ASCII
  if ((code > 96 && code < 123) || (code > 64 && code < 91)) return LETTER
  if (code > 47 && code < 58) return DIGIT
  return code === SPACE || (code > 8 && code < 14) ? WHITE_SPACE : OTHER
}

const growing = new RegExp(`[${growingCharacters}]`, 'gu')

/** Returns how many bytes a text gains when an encoding normalises it (NFKC): one ligature becomes eighteen letters. */
function growthOf(text) {
  let bytes = 0
  for (const character of text.match(growing) ?? [])
    bytes += Buffer.byteLength(character.normalize('NFKC')) - Buffer.byteLength(character)
  return bytes
}

/** Returns an upper bound for any encoding: a token stands for at least one byte. */
export function maxTokensOf(text) {
  const bytes = Buffer.byteLength(text)
  return bytes === text.length ? bytes : bytes + growthOf(text)
}

/**
 * Returns where to end a piece that starts at `start` and has about `maxChars` characters. It is the last position where the
 * encoding splits the text anyway, so that the count stays exact. Text without such a position (a long word, base64, Chinese
 * without spaces) is cut at `maxChars`, which costs about one token for each cut.
 */
export function findCut(text, start, maxChars) {
  const full = start + maxChars
  if (full >= text.length) return text.length
  for (let at = full; at > start; at -= 1) {
    const counted1 = text.charCodeAt(at - 1)
    const after = text.charCodeAt(at)
    if (after === SPACE && isVisibleAscii(counted1)) return at
    if (counted1 === NEWLINE && isVisibleAscii(after) && after !== SLASH) return at
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
