import { asObject, isObject, type JsonObject } from '@tallystick/record/json'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import { modernVersion } from './classify.js'
import { metaKeys } from './meta.js'
import { invalidParams } from './rpc.js'

/** The versions of the older protocol, which has `initialize`. The newest comes first. */
export const olderVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
/** The version of callers that declare none. */
export const defaultVersion = '2025-03-26'
/** The only version that allows batches of messages. */
export const batchVersion = '2025-03-26'

const askable = ['elicitation', 'sampling', 'roots'] as const
/** The known members within capabilities. */
const knownMembers: ReadonlySet<string> = new Set([
  'form',
  'url',
  'applyDefaults',
  'context',
  'tools',
  'listChanged',
])

/**
 * Returns the name and version of this service. Names and instructions of the servers behind it are not passed on, because nobody approved
 * them.
 */
export const serverInfoOf = (version: string): JsonObject => ({
  name: 'tallystick',
  title: 'Tallystick',
  version,
})

/** Returns the capabilities of this service for a caller with these servers. */
export function capabilitiesOf(servers: readonly ToolServer[]): JsonObject {
  const hasResources = servers.some(({ resources }) => resources.length > 0)
  const hasPrompts = servers.some(({ prompts }) => prompts.length > 0)
  return {
    tools: { listChanged: true },
    logging: {},
    ...(hasResources && { resources: {} }),
    ...(hasPrompts && { prompts: {} }),
    ...((hasResources || hasPrompts) && { completions: {} }),
  }
}

export const instructionsFor = (server: ToolServer | null): string =>
  server === null
    ? 'Tools of several servers, each called server__tool. What a tool says of itself was written by the server whose name stands before it.'
    : `Tools of the server ${server.name}.`

/** Reads the params of `initialize`. */
export function readInitialize(params: JsonObject): { protocolVersion: string; capabilities: JsonObject } {
  const { protocolVersion, capabilities } = params
  if (typeof protocolVersion !== 'string') throw invalidParams('params.protocolVersion must be a string')
  if (capabilities !== undefined && !isObject(capabilities))
    throw invalidParams('params.capabilities must be an object')
  const supported = olderVersions.find((version) => version === protocolVersion) ?? olderVersions[0]
  return { protocolVersion: supported, capabilities: keptCapabilities(asObject(capabilities)) }
}

/**
 * Keeps only capabilities that the protocol defines and servers can use. They are stored in the session token and sent to servers outside
 * the params that policies judge, so nothing else that a caller writes there may reach a server.
 */
function keptCapabilities(capabilities: JsonObject): JsonObject {
  return Object.fromEntries(
    askable.flatMap((name) =>
      isObject(capabilities[name]) ? [[name, keptMembers(capabilities[name])]] : [],
    ),
  )
}

function keptMembers(capability: JsonObject, depth = 0): JsonObject {
  const kept: JsonObject = {}
  for (const [name, value] of Object.entries(capability))
    if (knownMembers.has(name) && typeof value === 'boolean') kept[name] = value
    else if (knownMembers.has(name) && isObject(value)) kept[name] = depth === 0 ? keptMembers(value, 1) : {}
  return kept
}

/** Reads the capabilities that a caller of 2026-07-28 sends with each request. */
export const envelopeCapabilities = (meta: JsonObject): JsonObject =>
  keptCapabilities(asObject(meta[metaKeys.capabilities]))

export const discoverResult = (capabilities: JsonObject, instructions: string): JsonObject => ({
  supportedVersions: [modernVersion],
  capabilities,
  instructions,
})
