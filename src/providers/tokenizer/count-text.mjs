// Plain JavaScript because a worker thread loads it too: Node 20 cannot start a worker from TypeScript,
// and this way the sources, the tests and the build all run the same file.

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

// Text such as <|endoftext|> in a prompt is counted as the ordinary text it is, instead of being refused.
const asOrdinaryText = { disallowedSpecial: new Set() }

/** Loads the encoding, which takes 0.2 s and 28 MB. */
export async function createTextCounter() {
  const [{ GptEncoding }, { default: ranks }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
    import('gpt-tokenizer/GptEncoding'),
    import('gpt-tokenizer/bpeRanks/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ])
  const encoding = GptEncoding.getEncodingApi('o200k_base', () => ranks)
  encoding.setMergeCacheSize(CACHED_WORDS)
  // As the encoding does: words are told apart first, then each is counted by itself. Every character belongs to one.
  const words = new RegExp(O200K_TOKEN_SPLIT_REGEX)
  const counted = new Map()

  function countWord(word) {
    const known = counted.get(word)
    if (known !== undefined) return known
    const tokens = encoding.countTokens(word, asOrdinaryText)
    if (word.length > SHORT_WORD_CHARS) return tokens
    if (counted.size >= COUNTED_WORDS) counted.clear()
    counted.set(word, tokens)
    return tokens
  }

  function countPiece(piece) {
    let tokens = 0
    let start = 0
    words.lastIndex = 0
    while (words.test(piece)) {
      tokens += countWord(piece.slice(start, words.lastIndex))
      start = words.lastIndex
    }
    return tokens
  }

  return {
    count(text) {
      let tokens = 0
      for (let start = 0; start < text.length; ) {
        const end = findCut(text, start, MAX_PIECE_CHARS)
        tokens += countPiece(text.slice(start, end))
        start = end
      }
      return tokens
    },
    forget: encoding.clearMergeCache,
  }
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
