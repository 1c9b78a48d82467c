import type { components } from '../../../api'
import type { Server } from '../use-servers'

/** A server as it is typed. */
export interface ServerDraft {
  name: string
  url: string
  /** `name: value`, one per line. */
  headers: string
  /** Those that are stored are removed. */
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

/** What becomes of a tool that nobody approved. */
export const pinningWords: Record<Server['pinning'], string> = {
  block: 'neither listed nor called',
  warn: 'listed and called; you are told',
  off: 'listed and called; nobody is told',
}

export const draftOf = (server: Server | null): ServerDraft => ({
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

const listOf = (text: string) => [...new Set(text.split(/[\s,]+/).filter((each) => each !== ''))]

const headersOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...rest] = line.split(':')
        return [name.trim().toLowerCase(), rest.join(':').trim()]
      }),
  )

/** What is no number goes to the service as it is, which says so beside the field. */
const numberOf = (text: string, factor = 1) => {
  const value = Number(text.trim().replaceAll(/[$,\s]/g, ''))
  return factor === 1 ? value : Math.round(value * factor)
}
const orNull = (text: string) => (text.trim() === '' ? null : numberOf(text))

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
        scopes: listOf(draft.scopes),
        ...(draft.clientSecret !== '' && { clientSecret: draft.clientSecret }),
      }
  }
}

export const bodyOfNew = (draft: ServerDraft): Body => ({
  name: draft.name.trim(),
  url: draft.url.trim(),
  headers: headersOf(draft.headers),
  ...settingsOf(draft),
})

const settingsOf = (draft: ServerDraft) => ({
  auth: authOf(draft),
  open: draft.open,
  pinning: draft.pinning,
  pricePerCallUsd: draft.price.trim() === '' ? 0 : numberOf(draft.price),
  rpmLimit: orNull(draft.rpmLimit),
  ...(draft.timeout.trim() !== '' && { timeoutMs: numberOf(draft.timeout, 1_000) }),
  ...(draft.maxResult.trim() !== '' && { maxResultBytes: numberOf(draft.maxResult, 1_024) }),
  resources: listOf(draft.resources),
  prompts: listOf(draft.prompts),
})

/** Only what was changed: what the service shows is what holds, not what was once set. */
export function bodyOfChange(draft: ServerDraft, server: Server): components['schemas']['UpdateMcpServer'] {
  const before = draftOf(server)
  const old: Record<string, unknown> = settingsOf(before)
  const changed = Object.entries(settingsOf(draft)).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field]),
  )
  return {
    ...(draft.url.trim() !== before.url && { url: draft.url.trim() }),
    ...(draft.headers.trim() !== ''
      ? { headers: headersOf(draft.headers) }
      : draft.removesHeaders && { headers: null }),
    ...Object.fromEntries(changed),
  }
}
