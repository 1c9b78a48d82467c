import { asCount, type JsonObject, writeJson } from '@tallystick/record/json'
import { requestUsage } from '../chat/request.js'
import type { EndpointRequest, Fault } from '../endpoint-request.js'
import { completionsShape } from './shape.js'

export const completionsRequest = {
  faultIn(body) {
    // A server that reads both members would honour the one that was not reserved.
    if (body.max_completion_tokens !== undefined)
      return { path: 'max_completion_tokens', message: 'belongs to chat completions: use max_tokens' }
    return findPromptFault(body.prompt) ?? findEchoFault(body.echo)
  },

  // With `echo`, the prompt is repeated in front of each answer.
  extraOutputOf: (body) => (body.echo === true ? [writeJson(body.prompt)] : []),

  choicesOf: (body) => completionsShape.choicesOf(body) * promptsIn(body),

  requestUsage: requestUsage,
} satisfies Partial<EndpointRequest>

/** Returns how many answers the caller is shown. */
export const shownChoicesOf = (body: JsonObject): number => (asCount(body.n) || 1) * promptsIn(body)

const promptsIn = (body: JsonObject): number => Math.max(1, completionsShape.messageCount(body))

/** Some servers read `1` and `"true"` as true, and the repeated prompt would not be reserved. */
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
  return isPrompt
    ? null
    : { path: 'prompt', message: 'must be a string, a list of token numbers, or a list of these' }
}
