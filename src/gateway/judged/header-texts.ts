import type { TextPlace } from '../../providers/index.js'

/** What clients send by themselves, in every call. */
const usualWords = new Set([
  ...['*/*', 'application/json', 'text/event-stream', '2023-06-01', 'true', 'beta'],
  ...['accept', 'tracestate', 'openai-beta', 'anthropic-version', 'anthropic-beta'],
  'anthropic-dangerous-direct-browser-access',
])

/** What goes to a provider before the body: a caller may write into the names of headers and parameters as well as into their values. */
export const readRequestHead = (headers: Readonly<Record<string, string>>, query: string): TextPlace[] => [
  ...toTexts([...Object.values(headers), ...Object.keys(headers)].map(readBytes)),
  ...(query === '' ? [] : toTexts([...new URLSearchParams(query)].flat())),
]

/** The values of headers of an answer. Their names are the provider's. */
export const readAnswerHead = (headers: Readonly<Record<string, string>>): TextPlace[] =>
  toTexts(Object.values(headers).map(readBytes))

/** Nothing can be put in the place of a part of one. */
const toTexts = (texts: readonly string[]): TextPlace[] =>
  texts
    .filter((text) => !usualWords.has(text))
    .map((text) => ({ start: -1, end: -1, text, json: false, isEcho: false, sort: 'fixed' }))

/** Headers are read as one character for each byte, and written again like that. What gets them may read UTF-8. */
function readBytes(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text === value ? value : `${value} ${text}`
}
