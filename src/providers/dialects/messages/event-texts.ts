import { type ReadEvent, readEventTexts } from '../../texts/dialect-texts.js'
import { answerOptions } from './texts.js'

export const readMessagesEvent: ReadEvent = (data, event, asJson) => {
  const block = typeof event.index === 'number' ? event.index : null
  const ends = event.type === 'content_block_stop' ? [`${block}/`] : []
  return readEventTexts(data, answerOptions(asJson), (path) => channelOf(path, block), ends)
}

const pieces = new Set<unknown>(['text', 'thinking', 'partial_json'])

/** A block begins with a first piece of its text and goes on in deltas. Everything else comes whole. */
function channelOf(
  [part, field, ...rest]: readonly (string | number)[],
  block: number | null,
): string | null {
  if (block === null || rest.length > 0 || !pieces.has(field)) return null
  return part === 'delta' || part === 'content_block' ? `${block}/${field}` : null
}
