import type { TextPlace } from '../../providers/index.js'

/** What clients send by themselves, in every call. */
const usualValues = new Set(['*/*', 'application/json', 'text/event-stream', '2023-06-01'])

/** The values of headers as texts. Nothing can be put in the place of a part of one. */
export const readHeaders = (headers: Readonly<Record<string, string>>): TextPlace[] =>
  Object.values(headers)
    .filter((value) => !usualValues.has(value))
    .map((value) => ({
      start: -1,
      end: -1,
      text: readBytes(value),
      json: false,
      isEcho: false,
      sort: 'fixed',
    }))

/** Headers are read as one character for each byte, and written again like that. What gets them may read UTF-8. */
function readBytes(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text === value ? value : `${value} ${text}`
}
