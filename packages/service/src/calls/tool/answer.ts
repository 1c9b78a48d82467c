import type { JsonObject } from '@tallystick/record/json'
import type { EntryOutcome } from '../../record/index.js'
import type { ApiError } from '../../shared/errors.js'
import { commitTo, outcomeOf } from '../core/index.js'
import { toRpcError } from './rpc-error.js'

/** How a tool call ended. */
export interface ToolAnswer {
  outcome: EntryOutcome
  status: number
  /** What the caller receives once the receipt is durable. Null when the caller has disconnected. */
  response: { resultJson: string } | { errorJson: string } | null
  /** The JSON of the response without the values that policies restored for the caller, for content capture. */
  redactedJson: string | null
  /** The params that were sent to the server. Null when nothing was forwarded. */
  forwarded: string | null
  /** The commitment to what the caller receives. */
  commitment: string | null
  /** Whether the request may have reached the server. */
  isSent: boolean
  /** Why there is no result. Null when there is one. */
  error: ApiError | null
  toolError: boolean
  rpcCode: number | null
  /** The result in which the server asks for input before it continues. */
  inputRequired: JsonObject | null
  /** The limit that cut the call short. */
  exceeded: 'answer_size' | 'reader' | null
}

export const emptyAnswer = {
  ...{ isSent: false, error: null, toolError: false, rpcCode: null, forwarded: null, commitment: null },
  ...{ inputRequired: null, exceeded: null },
}

/** Returns the answer of a call that ends with an error of this service. `outcome` applies unless the error is a fault of this service. */
export const endWith = (error: ApiError, outcome: EntryOutcome): ToolAnswer => ({
  ...emptyAnswer,
  outcome: outcomeOf(error, outcome),
  status: error.status,
  response: { errorJson: toRpcError(error) },
  redactedJson: null,
  error,
})

export const callerGone: ToolAnswer = {
  ...emptyAnswer,
  outcome: 'aborted',
  status: 499,
  response: null,
  redactedJson: null,
}

/** Returns the answer of a call that is refused before it is forwarded. */
export const refuseWith = (error: ApiError, outcome: EntryOutcome, commitmentKey: Buffer): ToolAnswer => {
  const answer = endWith(error, outcome)
  return { ...answer, commitment: commitTo(commitmentKey, responseBytesOf(answer)) }
}

export const responseBytesOf = ({ response }: ToolAnswer): Buffer =>
  Buffer.from(responseJsonOf(response) ?? '')

/** Returns the JSON that the caller receives, or null when it receives nothing. */
export const responseJsonOf = (response: ToolAnswer['response']): string | null =>
  response === null ? null : 'resultJson' in response ? response.resultJson : response.errorJson
