import { invalidRequest } from '../../errors.js'
import { commitInTurns, newCommitmentKey, readFiling } from '../../governed/index.js'
import { isObject, type JsonBounds, type JsonObject, readJson } from '../../json/index.js'
import type { CaptureTerms } from '../../modules/content/index.js'
import type { Entitlements } from '../../modules/keys/index.js'
import type { Selection } from '../../modules/policies/index.js'
import type { Tags } from '../../tags.js'
import type { WaitForTurn } from '../../turns.js'
import type { ToolRequest } from './contract.js'

/** What is known of a call before it is admitted. */
export interface ReceivedTool {
  id: string
  request: ToolRequest
  /** As they go to the server, before policies change them. */
  paramsJson: string
  params: JsonObject
  entitlements: Entitlements
  session: string | null
  agent: string | null
  tags: Tags
  commitmentKey: Buffer
  /** To the params. */
  commitment: string
  priceHash: string
  /** Hash of the policy set in force. */
  policies: string
  selection: Selection
  packs: readonly string[]
  /** How what it says is kept; null where nothing is. */
  content: CaptureTerms | null
  receivedAt: Date
}

const bounds: JsonBounds = {
  depth: 200,
  containers: 100_000,
  objectMembers: 10_000,
  members: 200_000,
  values: 500_000,
}

/** An object that somebody else wrote. Throws where it is none. */
export async function readObject(json: string, waitForTurn: WaitForTurn): Promise<JsonObject> {
  const { value } = await readJson(Buffer.from(json), bounds, waitForTurn)
  if (!isObject(value)) throw invalidRequest('It must be a JSON object')
  return value
}

/** What the call belongs to, by its headers; else by what its `_meta` says; else by its session. */
export function readToolFiling(
  { headers, filedSession }: Pick<ToolRequest, 'headers' | 'filedSession'>,
  defaults: Tags,
): Pick<ReceivedTool, 'session' | 'agent' | 'tags'> {
  const { session, agent, tags } = readFiling(headers, defaults)
  return { session: session ?? filedSession, agent, tags }
}

/** Each attempt has a commitment of its own. */
export async function commitToParams(
  json: string,
  waitForTurn: WaitForTurn,
): Promise<Pick<ReceivedTool, 'commitmentKey' | 'commitment'>> {
  const commitmentKey = newCommitmentKey()
  return { commitmentKey, commitment: await commitInTurns(commitmentKey, Buffer.from(json), waitForTurn) }
}
