import { asObject, isObject, type JsonObject } from '../../json/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import { modernVersion } from './classify.js'
import { metaKeys } from './meta.js'
import { invalidParams } from './rpc.js'

/** Of the protocol with `initialize`, the newest first. */
export const olderVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
/** What a caller speaks that does not say so. */
export const defaultVersion = '2025-03-26'
/** The only one in which several messages may come together. */
export const batchVersion = '2025-03-26'

const askable = ['elicitation', 'sampling', 'roots'] as const
/** What capabilities say further, of those that there are. */
const knownMembers: ReadonlySet<string> = new Set([
  'form',
  'url',
  'applyDefaults',
  'context',
  'tools',
  'listChanged',
])

/** Who we are. A server behind us says nothing of itself that nobody approved: neither its name nor its instructions pass. */
export const serverInfoOf = (version: string): JsonObject => ({
  name: 'tallystick',
  title: 'Tallystick',
  version,
})

/** What a caller can use here. */
export function capabilitiesOf(servers: readonly McpServerTerms[]): JsonObject {
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

export const instructionsFor = (server: McpServerTerms | null): string =>
  server === null
    ? 'Tools of several servers, each called server__tool. What a tool says of itself was written by the server whose name stands before it.'
    : `Tools of the server ${server.name}.`

/** What `initialize` says of the caller. */
export function readInitialize(params: JsonObject): { protocolVersion: string; capabilities: JsonObject } {
  const { protocolVersion, capabilities } = params
  if (typeof protocolVersion !== 'string') throw invalidParams('params.protocolVersion must be a text')
  if (capabilities !== undefined && !isObject(capabilities))
    throw invalidParams('params.capabilities must be an object')
  const spoken = olderVersions.find((version) => version === protocolVersion) ?? olderVersions[0]
  return { protocolVersion: spoken, capabilities: keptCapabilities(asObject(capabilities)) }
}

/**
 * Only what the protocol knows, and servers can make use of: they travel in the token of the session, and servers are told of them beside
 * the params that policies judge. Nothing that a caller writes there reaches a server.
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

/** What a caller of 2026-07-28 says of itself with each request. */
export const envelopeCapabilities = (meta: JsonObject): JsonObject =>
  keptCapabilities(asObject(meta[metaKeys.capabilities]))

export const discoverResult = (capabilities: JsonObject, instructions: string): JsonObject => ({
  supportedVersions: [modernVersion],
  capabilities,
  instructions,
})
