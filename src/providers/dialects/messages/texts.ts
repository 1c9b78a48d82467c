import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import { type DialectTexts, readEventTexts } from '../../texts/dialect-texts.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'
import { isJsonFormat } from '../chat/texts.js'

export const messagesTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json, asJson) => new TextWalk(json, answerOptions(asJson)),

  inEvent(data, event, asJson) {
    const block = typeof event.index === 'number' ? event.index : null
    const ends = event.type === 'content_block_stop' ? [`${block}/`] : []
    return readEventTexts(data, answerOptions(asJson), (path) => channelOf(path, block), ends)
  },

  asksForJson: (body) =>
    isJsonFormat(body.output_format) || isJsonFormat(asObject(body.output_config).format),
  isReadable: () => true,
  messageCount: (body) => asArray(body.messages).length,

  toolsOffered: (body) => [
    ...asArray(body.tools)
      .map(asObject)
      .map((tool) => asText(tool.name) || asText(tool.mcp_server_name) || asText(tool.type)),
    ...asArray(body.mcp_servers).map((server) => asText(asObject(server).name)),
  ],
  toolsCalled: (answer) => asArray(answer.content).flatMap((block) => calledIn(asObject(block))),
  toolsCalledIn: (event) => calledIn(asObject(event.content_block)),
}

const plain: WalkOptions = { skip: [['usage'], ['message', 'usage']] }
const structured: WalkOptions = { ...plain, isJson: (path) => path.at(-1) === 'text' }
const answerOptions = (asJson: boolean) => (asJson ? structured : plain)

const pieces = new Set<unknown>(['text', 'thinking', 'partial_json'])

/** A block begins with a first piece of its text and goes on in deltas. Everything else comes whole. */
function channelOf(
  [part, field, ...rest]: readonly (string | number)[],
  block: number | null,
): string | null {
  if (block === null || rest.length > 0 || !pieces.has(field)) return null
  return part === 'delta' || part === 'content_block' ? `${block}/${field}` : null
}

const calledIn = (block: JsonObject): string[] =>
  /tool_use$/.test(asText(block.type)) ? [asText(block.name)] : []
