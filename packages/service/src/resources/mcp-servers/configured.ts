import type { Db } from '../../db/index.js'
import { findTenantName } from '../tenants/index.js'
import type { McpAuth, McpTransport } from './tool-server.js'
import type { Pinning } from './tools/pins.js'

/** A server of the operator's file. */
export interface ConfiguredMcpServer {
  name: string
  transport: McpTransport
  headers: Readonly<Record<string, string>>
  auth: McpAuth
  clientSecret: string | null
  /** The names of the tenants that may use it; null for all. */
  tenants: readonly string[] | null
  open: boolean
  pinning: Pinning
  priceNanos: number
  rpmLimit: number | null
  timeoutMs: number
  maxResultBytes: number
  resources: readonly string[]
  prompts: readonly string[]
}

/** Reads the servers of the operator's file as it is in use now. */
export type ReadConfigured = () => readonly ConfiguredMcpServer[]

export const configuredId = ({ name }: Pick<ConfiguredMcpServer, 'name'>): string => `file:${name}`

/** Returns the servers that the file gives to this tenant. */
export async function configuredFor(
  db: Db,
  readConfigured: ReadConfigured,
  tenantId: string,
): Promise<readonly ConfiguredMcpServer[]> {
  const configured = readConfigured()
  if (configured.every(({ tenants }) => tenants === null)) return configured
  const name = await findTenantName(db, tenantId)
  return configured.filter(({ tenants }) => tenants === null || tenants.includes(name ?? ''))
}
