import { isObject } from '@tallystick/record/json'
import { type ReadEvent, readEventTexts } from '../../texts/endpoint-texts.js'
import { channelOfPath } from '../../texts/event-path.js'
import { hasOwnIndices, isFinishReason, isOfWholeAnswer } from '../chat/event-texts.js'
import { shownChoicesOf } from './request.js'
import { completionsShape } from './shape.js'

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
    completionsShape.answerTexts(false),
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
