import { asArray, isObject } from '../../../json/index.js'
import { type DialectTexts, type ReadEvent, readEventTexts } from '../../texts/dialect-texts.js'
import { channelOfPath } from '../../texts/event-path.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'
import { hasOwnIndices, isFinishReason, isOfWholeAnswer } from '../chat/event-texts.js'
import { promptsIn, shownChoicesOf } from './request.js'

const options: WalkOptions = { noProbabilities: 'null' }

export const completionsTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json) => new TextWalk(json, options),
  asksForJson: () => false,
  isReadable: ({ prompt }) => asArray(prompt).every((item) => typeof item === 'string'),
  messageCount: promptsIn,
}

export const readCompletionEvent: ReadEvent = (data, event, { request }) => {
  const { choices = [] } = event
  if (!Array.isArray(choices) || !hasOwnIndices(choices, shownChoicesOf(request))) return null
  const ends = choices.flatMap((choice, at) =>
    isObject(choice) && isFinishReason(choice.finish_reason)
      ? [`${channelOfPath(['choices', at], event)}/`]
      : [],
  )
  return readEventTexts(
    data,
    options,
    (path) => {
      if (isOfWholeAnswer(path)) return null
      const [member, , part, ...rest] = path
      return {
        channel: channelOfPath(path, event),
        isPiece: member === 'choices' && part === 'text' && rest.length === 0,
      }
    },
    ends,
  )
}
