import { asCount, type JsonObject, writeJson } from '../../../json/index.js'
import { chatRequest, hidesChoices } from '../chat/request.js'
import { type DialectRequest, type Fault, findCountFault, maxCountIn } from '../dialect.js'
import { serviceTiersOf } from '../usage.js'
import { withoutOutput } from '../without-output.js'

const maxChoices = 128
const outputFields = ['max_tokens', 'max_output_tokens', 'max_new_tokens', 'n_predict', 'num_predict']

export const completionsRequest: DialectRequest = {
  ...withoutOutput,
  faultIn(body) {
    // A server that reads both would honour the one that was not reserved for.
    if (body.max_completion_tokens !== undefined)
      return { path: 'max_completion_tokens', message: 'is of chat completions: use max_tokens' }
    const faults = [
      findPromptFault(body.prompt),
      ...outputFields.map((field) => findCountFault(body, field)),
      ...['n', 'best_of'].map((field) => findCountFault(body, field, maxChoices)),
      findEchoFault(body.echo),
    ]
    return faults.find((fault) => fault !== null) ?? null
  },

  outputFields,

  maxOutputOf: (body) => maxCountIn(body, outputFields),

  // Repeated in front of each answer.
  extraOutputOf: (body) => (body.echo === true ? [writeJson(body.prompt)] : []),

  tiersOf: serviceTiersOf,

  mayReason: hidesChoices,

  choicesOf: (body) => (maxCountIn(body, ['n', 'best_of']) ?? 1) * promptsIn(body),

  usageRequest: chatRequest.usageRequest,

  mayCacheForAnHour: chatRequest.mayCacheForAnHour,
}

/** Of the answers that are made, the caller is shown so many. */
export const shownChoicesOf = (body: JsonObject): number => (asCount(body.n) || 1) * promptsIn(body)

/** A list of token numbers is one prompt. */
export const promptsIn = ({ prompt }: JsonObject): number =>
  Array.isArray(prompt) && !prompt.every((item) => typeof item === 'number') ? prompt.length : 1

/** Some servers read `1` and `"true"` as true: what they repeat would not be reserved for. */
const findEchoFault = (echo: unknown): Fault | null =>
  echo === undefined || echo === null || typeof echo === 'boolean'
    ? null
    : { path: 'echo', message: 'must be true or false' }

function findPromptFault(prompt: unknown): Fault | null {
  const isTokens = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => Number.isInteger(each))
  const isPrompt =
    typeof prompt === 'string' ||
    isTokens(prompt) ||
    (Array.isArray(prompt) &&
      prompt.length > 0 &&
      prompt.every((item) => typeof item === 'string' || isTokens(item)))
  return isPrompt ? null : { path: 'prompt', message: 'must be a text, token numbers, or a list of these' }
}
