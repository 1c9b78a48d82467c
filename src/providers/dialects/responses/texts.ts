import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import { type DialectTexts, readEventTexts } from '../../texts/dialect-texts.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'
import { isJsonFormat } from '../chat/texts.js'

export const responsesTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json, asJson) => new TextWalk(json, answerOptions(asJson)),

  inEvent(data, event, asJson) {
    const type = asText(event.type)
    const { output_index: item, content_index, summary_index } = event
    const base = type.replace(/\.(delta|done)$/, '')
    const channel = `${item}/${content_index ?? summary_index ?? ''}/${base}`
    const ends = type === 'response.output_item.done' ? [`${item}/`] : type.endsWith('.done') ? [channel] : []
    const isPiece = type.endsWith('.delta')
    const isArguments = isPiece && base.endsWith('_arguments')
    const options = isArguments ? argumentEvents : eventOptions(asJson)
    return readEventTexts(data, options, (path) => (isPiece && isDelta(path) ? channel : null), ends)
  },

  asksForJson: (body) => isJsonFormat(asObject(body.text).format),
  isReadable: () => true,
  messageCount: (body) => (typeof body.input === 'string' ? 1 : asArray(body.input).length),

  toolsOffered: (body) => asArray(body.tools).map((tool) => nameOfTool(asObject(tool))),
  toolsCalled: (answer) => asArray(answer.output).flatMap((item) => calledIn(asObject(item))),
  toolsCalledIn: (event) => calledIn(asObject(event.item)),
}

/** A response repeats what it was asked for. That is no part of what the model says. */
const echoes = new Set<unknown>([
  'instructions',
  'input',
  'metadata',
  'prompt',
  'prompt_cache_key',
  'reasoning',
  'safety_identifier',
  'text',
  'tool_choice',
  'tools',
  'user',
])
type Path = readonly (string | number)[]
const isText = (path: Path): boolean => path.at(-1) === 'text'
const isDelta = (path: Path): boolean => path[0] === 'delta'

const plain: WalkOptions = {
  skip: [['usage']],
  isEcho: (path) => echoes.has(path[0]),
  noProbabilities: '[]',
}
const structured: WalkOptions = { ...plain, isJson: isText }
const answerOptions = (asJson: boolean) => (asJson ? structured : plain)

const plainEvents: WalkOptions = {
  skip: [['response', 'usage']],
  isEcho: (path) => path[0] === 'response' && echoes.has(path[1]),
  noProbabilities: '[]',
}
const structuredEvents: WalkOptions = { ...plainEvents, isJson: (path) => isText(path) || isDelta(path) }
const argumentEvents: WalkOptions = { ...plainEvents, isJson: isDelta }
const eventOptions = (asJson: boolean) => (asJson ? structuredEvents : plainEvents)

const nameOfTool = (tool: JsonObject): string =>
  asText(tool.name) || (tool.type === 'mcp' ? `mcp:${asText(tool.server_label)}` : asText(tool.type))

/** Tools of the vendor are called by items of their type, such as `web_search_call`. */
function calledIn(item: JsonObject): string[] {
  const type = asText(item.type)
  if (!type.endsWith('_call')) return []
  return [asText(item.name) || type.replace(/_call$/, '')]
}
