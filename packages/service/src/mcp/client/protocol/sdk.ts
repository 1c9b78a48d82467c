import type { JsonObject } from '@tallystick/record/json'

export type Sdk = typeof import('@modelcontextprotocol/client')

/** Loads the official client on first use, because that takes 200 ms. */
export const loadSdk = (): Promise<Sdk> => import('@modelcontextprotocol/client')

export interface ClientInfo {
  name: string
  version: string
}

/** The first version of the protocol without sessions. Each request identifies the client instead. */
const firstModern = '2026-07-28'
export const isModern = (protocolVersion: string): boolean => protocolVersion >= firstModern

/** Returns the members of `_meta` that servers of the newer protocol require in each request. Empty for the older protocol. */
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

/** Some servers list a tool only for clients with the capabilities that the tool needs. Listings declare all of them, to see every tool. */
export const allCapabilities: JsonObject = { elicitation: {}, sampling: {}, roots: {} }
