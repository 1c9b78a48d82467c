import { asText } from '../../../json/index.js'
import { type ReadEvent, readEventTexts } from '../../texts/dialect-texts.js'
import type { WalkOptions } from '../../texts/text-walk.js'
import { echoes, isText, type Path } from './texts.js'

export const readResponsesEvent: ReadEvent = (data, event, asJson) => {
  const type = asText(event.type)
  const { output_index: item, content_index, summary_index } = event
  const base = type.replace(/\.(delta|done)$/, '')
  const channel = `${item}/${content_index ?? summary_index ?? ''}/${base}`
  const ends = type === 'response.output_item.done' ? [`${item}/`] : type.endsWith('.done') ? [channel] : []
  const isPiece = type.endsWith('.delta')
  const isArguments = isPiece && base.endsWith('_arguments')
  const options = isArguments ? argumentEvents : eventOptions(asJson)
  return readEventTexts(data, options, (path) => (isPiece && isDelta(path) ? channel : null), ends)
}

const isDelta = (path: Path): boolean => path[0] === 'delta'

const plainEvents: WalkOptions = {
  skip: [['response', 'usage']],
  isEcho: (path) => path[0] === 'response' && echoes.has(path[1]),
  noProbabilities: '[]',
}
const structuredEvents: WalkOptions = { ...plainEvents, isJson: (path) => isText(path) || isDelta(path) }
const argumentEvents: WalkOptions = { ...plainEvents, isJson: isDelta }
const eventOptions = (asJson: boolean) => (asJson ? structuredEvents : plainEvents)
