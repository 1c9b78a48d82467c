import type { JsonObject } from '@tallystick/record/json'

/** How a call authenticates its user to a server, in addition to the headers of all calls to that server. */
export type McpAuth =
  | { type: 'none' }
  /** Each user stores a value for this header. */
  | { type: 'header'; header: string }
  /**
   * Each user gives consent once; the tokens are stored sealed, and renewed. With a null `clientId` the client
   * registers itself.
   */
  | { type: 'oauth'; clientId: string | null; scopes: readonly string[] }
  /** The caller's own `Authorization` is forwarded; its virtual key is sent in `X-Tallystick-Key`. */
  | { type: 'passthrough' }

export type McpTransport =
  | { type: 'http'; url: string }
  /** Only in the operator's file. */
  | {
      type: 'stdio'
      command: string
      args: readonly string[]
      env: Readonly<Record<string, string>>
      cwd: string | null
    }

export type ToolState = 'approved' | 'changed' | 'new' | 'blocked'

/** A tool as callers may see it. */
export interface PinnedTool {
  name: string
  state: ToolState
  /** The hash of the shown definition: the approved one, or the newest when pinning does not block. */
  hash: string
  /** The definition that callers see. Null when it is neither listed nor callable. */
  definition: JsonObject | null
  /** True when the shown definition was not approved, because pinning only warns. */
  isUnapproved: boolean
}

/** The settings and tools of a server that the tool gateway uses. */
export interface ToolServer {
  /** `mcp_…`, or `file:` and its name for a server of the operator's file. */
  id: string
  /** For a server of the file, the tenant of the request. */
  tenantId: string
  /** Lower-case letters, digits and single hyphens or underscores: never `__`. */
  name: string
  transport: McpTransport
  auth: McpAuth
  enabled: boolean
  /** True when callers without a list of allowed tools may call its tools. */
  open: boolean
  priceNanos: number
  /** Requests per rolling minute of all keys of the tenant together. */
  rpmLimit: number | null
  /** The version of the tenant's limits at which `rpmLimit` began to apply. */
  limitsSince: number
  timeoutMs: number
  maxResultBytes: number
  /** Patterns of the URIs that may be read; none by default. */
  resources: readonly string[]
  /** Patterns of the names of prompts that may be used; none by default. */
  prompts: readonly string[]
  tools: readonly PinnedTool[]
}

/** What a server offered when it was last asked. */
export interface McpListing {
  protocolVersion: string
  serverInfo: JsonObject
  capabilities: JsonObject
  instructions: string | null
  /** Definitions as they were received. */
  tools: readonly JsonObject[]
}
