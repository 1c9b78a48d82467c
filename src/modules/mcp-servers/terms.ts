import type { JsonObject } from '../../json/index.js'

/** How a call proves to a server for whom it is made, beside the headers that all calls to that server have. */
export type McpAuth =
  | { type: 'none' }
  /** Each user stores a value for this header. */
  | { type: 'header'; header: string }
  /** Each user gives consent once; the tokens are kept, sealed, and renewed. `clientId` null: the client registers itself. */
  | { type: 'oauth'; clientId: string | null; scopes: readonly string[] }
  /** The caller's own `Authorization`; its virtual key came as `X-Tallystick-Key`. */
  | { type: 'passthrough' }

export type McpReach =
  | { type: 'http'; url: string }
  /** Only from the operator's file. */
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
  /** Of the definition that is shown: the approved one, or the newest where pinning does not block. */
  hash: string
  /** What callers are shown. Null: it is neither listed nor callable. */
  definition: JsonObject | null
  /** It is not what was approved, and is shown all the same: pinning only warns. */
  isUnapproved: boolean
}

/** What the tool gateway knows of a server. */
export interface McpServerTerms {
  /** `mcp_…`; of a server from the operator's file `file:` and its name. */
  id: string
  /** Of a server from the file: the tenant that asks. */
  tenantId: string
  /** Small letters, digits and single hyphens or underscores: never `__`. */
  name: string
  reach: McpReach
  auth: McpAuth
  enabled: boolean
  /** Whoever has no list that says otherwise may call its tools. */
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

/** What a server offered when it was asked last. */
export interface McpListing {
  protocolVersion: string
  serverInfo: JsonObject
  capabilities: JsonObject
  instructions: string | null
  /** Definitions as they came. */
  tools: readonly JsonObject[]
}
