import type { components } from '../../../api'
import { parseHeaders, parseNames, parseOptionalNumber, parseScaled } from '../../../components'
import type { Server } from '../use-servers'

/** The values of the server form: numbers and lists are text. */
export interface ServerDraft {
  name: string
  url: string
  /** `name: value`, one per line. */
  headers: string
  /** Removes the stored headers. */
  removesHeaders: boolean
  authType: Server['auth']['type']
  authHeader: string
  clientId: string
  clientSecret: string
  scopes: string
  open: boolean
  pinning: Server['pinning']
  price: string
  rpmLimit: string
  /** In seconds. */
  timeout: string
  /** In KiB. */
  maxResult: string
  resources: string
  prompts: string
}

/** How unapproved tools are handled. */
export const pinningNames: Record<Server['pinning'], string> = {
  block: 'Block (not listed)',
  warn: 'Allow and warn',
  off: 'Allow',
}

export const toDraft = (server: Server | null): ServerDraft => ({
  name: server?.name ?? '',
  url: server?.url ?? '',
  headers: '',
  removesHeaders: false,
  authType: server?.auth.type ?? 'none',
  authHeader: server?.auth.header ?? 'authorization',
  clientId: server?.auth.clientId ?? '',
  clientSecret: '',
  scopes: server?.auth.scopes.join(' ') ?? '',
  open: server?.open ?? false,
  pinning: server?.pinning ?? 'block',
  price: server && server.pricePerCallUsd > 0 ? String(server.pricePerCallUsd) : '',
  rpmLimit: server?.rpmLimit?.toString() ?? '',
  timeout: server ? String(server.timeoutMs / 1_000) : '',
  maxResult: server ? String(server.maxResultBytes / 1_024) : '',
  resources: server?.resources.join('\n') ?? '',
  prompts: server?.prompts.join('\n') ?? '',
})

type Body = components['schemas']['CreateMcpServer']

function authOf(draft: ServerDraft): Body['auth'] {
  switch (draft.authType) {
    case 'none':
    case 'passthrough':
      return { type: draft.authType }
    case 'header':
      return { type: 'header', header: draft.authHeader.trim().toLowerCase() }
    case 'oauth':
      return {
        type: 'oauth',
        clientId: draft.clientId.trim() || null,
        scopes: parseNames(draft.scopes),
        ...(draft.clientSecret !== '' && { clientSecret: draft.clientSecret }),
      }
  }
}

/** `headers` is null when an edit removes the stored ones. */
export const toBody = (draft: ServerDraft) => ({
  name: draft.name.trim(),
  url: draft.url.trim(),
  headers: draft.removesHeaders && draft.headers.trim() === '' ? null : parseHeaders(draft.headers),
  auth: authOf(draft),
  open: draft.open,
  pinning: draft.pinning,
  pricePerCallUsd: parseOptionalNumber(draft.price) ?? 0,
  rpmLimit: parseOptionalNumber(draft.rpmLimit),
  timeoutMs: parseScaled(draft.timeout, 1_000) ?? undefined,
  maxResultBytes: parseScaled(draft.maxResult, 1_024) ?? undefined,
  resources: parseNames(draft.resources),
  prompts: parseNames(draft.prompts),
})
