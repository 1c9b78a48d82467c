import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import { type DialectTexts, readEventTexts } from '../../texts/dialect-texts.js'
import { TextWalk, type WalkOptions } from '../../texts/text-walk.js'

export const chatTexts: DialectTexts = {
  inRequest: (json) => new TextWalk(json),
  inAnswer: (json, asJson) => new TextWalk(json, answerOptions(asJson)),

  inEvent(data, event, asJson) {
    const choices = asArray(event.choices).map(asObject)
    const ends: string[] = []
    for (const choice of choices)
      if (typeof choice.finish_reason === 'string') ends.push(`${indexOf(choice)}/`)
    return readEventTexts(data, answerOptions(asJson), (path) => channelOf(path, choices), ends)
  },

  asksForJson: (body) => isJsonFormat(body.response_format),
  isReadable: () => true,
  messageCount: (body) => asArray(body.messages).length,

  toolsOffered: ({ tools, functions }) =>
    tools === undefined && functions === undefined
      ? []
      : [
          ...asArray(tools).map((tool) => nameOfTool(asObject(tool))),
          ...asArray(functions).map((each) => asText(asObject(each).name)),
        ],
  toolsCalled: (answer) =>
    asArray(answer.choices).flatMap((choice) => calledIn(asObject(asObject(choice).message))),
  toolsCalledIn: (event) =>
    asArray(event.choices).flatMap((choice) => calledIn(asObject(asObject(choice).delta))),
}

export const isJsonFormat = (format: unknown): boolean => /^json/.test(asText(asObject(format).type))

const plain: WalkOptions = { skip: [['usage']], noProbabilities: 'null' }
const structured: WalkOptions = { ...plain, isJson: (path) => path.at(-1) === 'content' }
const answerOptions = (asJson: boolean) => (asJson ? structured : plain)

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

function nameOfTool(tool: JsonObject): string {
  const type = asText(tool.type)
  return asText(asObject(tool[type]).name) || asText(tool.name) || type
}

function calledIn({ tool_calls, function_call }: JsonObject): string[] {
  if (tool_calls === undefined && function_call === undefined) return []
  const calls = asArray(tool_calls).map((call) => {
    const { function: called, custom, type } = asObject(call)
    return asText(asObject(called).name) || asText(asObject(custom).name) || asText(type)
  })
  return [...calls, asText(asObject(function_call).name)].filter(isToolName)
}

// Of a call that comes in pieces, only the first has the name; each may have the type.
const isToolName = (name: string) => name !== '' && name !== 'function' && name !== 'custom'
