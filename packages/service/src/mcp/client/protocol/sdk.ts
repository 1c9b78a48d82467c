import type { JsonObject } from '@tallystick/record/json'

export type Sdk = typeof import('@modelcontextprotocol/client')

/** The official client. Loaded when it is first needed: it takes 200 ms. */
export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/client')

export interface ClientInfo {
  name: string
  version: string
}

/** From this version on each request says who calls, and there are no sessions. */
const firstModern = '2026-07-28'
export const isModern = (protocolVersion: string): boolean => protocolVersion >= firstModern

/** Members of `_meta` that newer servers want in each request; none for older ones. */
export async function envelopeOf(
  protocolVersion: string,
  clientInfo: ClientInfo,
  capabilities: JsonObject,
): Promise<JsonObject> {
  if (!isModern(protocolVersion)) return {}
  const { PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY } = await loadSdk()
  return {
    [PROTOCOL_VERSION_META_KEY]: protocolVersion,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  }
}

/** Some servers list a tool only to clients that it can ask: so that all are known, whoever lists them could be asked anything. */
export const allCapabilities: JsonObject = { elicitation: {}, sampling: {}, roots: {} }
