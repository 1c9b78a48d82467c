import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import type { DialectToolNames } from '../tool-names.js'

export const chatToolNames: DialectToolNames = {
  offered: ({ tools, functions }) =>
    tools === undefined && functions === undefined
      ? []
      : [
          ...asArray(tools).map((tool) => nameOfTool(asObject(tool))),
          ...asArray(functions).map((each) => asText(asObject(each).name)),
        ],
  called: (answer) =>
    asArray(answer.choices).flatMap((choice) => calledIn(asObject(asObject(choice).message))),
  calledIn: (event) => asArray(event.choices).flatMap((choice) => calledIn(asObject(asObject(choice).delta))),
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
