import { asArray, asObject, type JsonObject } from '../../../json/index.js'
import { type ReadEvent, readEventTexts } from '../../texts/dialect-texts.js'
import { answerOptions } from './texts.js'

export const readChatEvent: ReadEvent = (data, event, asJson) => {
  const choices = asArray(event.choices).map(asObject)
  const ends: string[] = []
  for (const choice of choices) if (typeof choice.finish_reason === 'string') ends.push(`${indexOf(choice)}/`)
  return readEventTexts(data, answerOptions(asJson), (path) => channelOf(path, choices), ends)
}

const indexOf = (numbered: JsonObject): number => (typeof numbered.index === 'number' ? numbered.index : 0)

/** Pieces are told apart by the numbers they carry: where they stand in an event says nothing. */
function channelOf(path: readonly (string | number)[], choices: JsonObject[]): string | null {
  const [member, position, part, ...rest] = path
  // Names come whole. What is unknown is taken for a piece, so that nothing passes by being cut.
  if (member !== 'choices' || typeof position !== 'number' || rest.at(-1) === 'name') return null
  const choice = choices[position] ?? {}
  if (rest[0] === 'tool_calls' && typeof rest[1] === 'number') {
    const calls = asArray(asObject(choice[part ?? '']).tool_calls)
    rest[1] = indexOf(asObject(calls[rest[1]]))
  }
  return `${indexOf(choice)}/${rest.join('/')}`
}
