import type { TextLocation } from '../../../providers/index.js'

/** Header values that clients send with every call. They are not judged. */
const commonValues = new Set([
  ...['*/*', 'application/json', 'text/event-stream', '2023-06-01', 'true', 'beta'],
  ...['accept', 'tracestate', 'openai-beta', 'anthropic-version', 'anthropic-beta'],
  'anthropic-dangerous-direct-browser-access',
])

/** Returns the texts of the headers and the query of a request. Names are included, because a caller can choose them too. */
export const readRequestHead = (headers: Readonly<Record<string, string>>, query: string): TextLocation[] => [
  ...toTexts([...Object.values(headers), ...Object.keys(headers)].map(readBytes)),
  ...(query === '' ? [] : toTexts([...new URLSearchParams(query)].flat())),
]

/** Returns the values of the headers of an answer. */
export const readAnswerHead = (headers: Readonly<Record<string, string>>): TextLocation[] =>
  toTexts(Object.values(headers).map(readBytes))

/** Makes texts that are `fixed`, because parts of a header cannot be replaced. */
const toTexts = (texts: readonly string[]): TextLocation[] =>
  texts
    .filter((text) => !commonValues.has(text))
    .map((text) => ({ start: -1, end: -1, text, json: false, isEcho: false, kind: 'fixed' }))

/**
 * Returns a header value as Node reads it, with one character per byte, and as UTF-8 when that differs, since the provider may read either.
 */
function readBytes(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text === value ? value : `${value} ${text}`
}
