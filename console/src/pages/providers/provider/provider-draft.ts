import type { components } from '../../../api'
import type { Provider } from '../use-providers'
import { currentMonth } from './add-credential'
import { wordsOfType } from './types'

/** A provider as it is typed. */
export interface ProviderDraft {
  name: string
  type: string
  /** Empty for the address of its type. */
  baseUrl: string
  options: Record<string, string>
  /** Empty for its own name. */
  pricesOf: string
  auth: Provider['auth']
  credentialName: string
  credentialValue: string
  /** `name: value`, one per line. */
  headers: string
  /** Separated by spaces or commas; empty for what its type answers. */
  dialects: string
  /** In seconds; empty for the usual. */
  timeouts: Record<TimeoutName, string>
}

export const timeoutNames = ['connectMs', 'firstByteMs', 'idleMs', 'totalMs'] as const
export type TimeoutName = (typeof timeoutNames)[number]

const noTimeouts: ProviderDraft['timeouts'] = { connectMs: '', firstByteMs: '', idleMs: '', totalMs: '' }

export const draftOf = (provider: Provider | null): ProviderDraft => ({
  name: provider?.name ?? '',
  type: provider?.type ?? 'openai',
  baseUrl: provider?.baseUrl ?? '',
  options: provider?.options ?? {},
  pricesOf: provider?.pricesOf ?? 'openai',
  auth: provider?.auth ?? 'own',
  credentialName: currentMonth(),
  credentialValue: '',
  headers: '',
  dialects: provider?.dialects.join(', ') ?? '',
  timeouts: provider
    ? {
        connectMs: String(provider.timeouts.connectMs / 1_000),
        firstByteMs: String(provider.timeouts.firstByteMs / 1_000),
        idleMs: String(provider.timeouts.idleMs / 1_000),
        totalMs: String(provider.timeouts.totalMs / 1_000),
      }
    : noTimeouts,
})

/** Another type has other options, another address and other prices. */
export const withType = (draft: ProviderDraft, type: string): ProviderDraft => ({
  ...draft,
  type,
  baseUrl: '',
  options: {},
  pricesOf: wordsOfType(type)?.pricesOf ?? '',
})

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

function dialectsOf({ dialects }: ProviderDraft): string[] | null {
  const names = dialects.split(/[\s,]+/).filter((name) => name !== '')
  return names.length === 0 ? null : names
}

function headersOf({ headers }: ProviderDraft): Record<string, string> {
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...rest] = line.split(':')
      return [name.trim().toLowerCase(), rest.join(':').trim()]
    }),
  )
}

const timeoutsOf = ({ timeouts }: ProviderDraft): Partial<Record<TimeoutName, number>> =>
  Object.fromEntries(
    timeoutNames.flatMap((name) =>
      timeouts[name].trim() === '' ? [] : [[name, Math.round(Number(timeouts[name]) * 1_000)]],
    ),
  )

const optionsOf = ({ options }: ProviderDraft) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value.trim() !== ''))

export const bodyOfNew = (draft: ProviderDraft): components['schemas']['CreateProvider'] => ({
  name: draft.name,
  type: draft.type,
  baseUrl: orNull(draft.baseUrl),
  options: optionsOf(draft),
  pricesOf: orNull(draft.pricesOf),
  auth: draft.auth,
  headers: headersOf(draft),
  dialects: dialectsOf(draft),
  timeouts: timeoutsOf(draft),
  credentials:
    draft.credentialValue === '' ? [] : [{ name: draft.credentialName, value: draft.credentialValue }],
})

/** Only what was changed: what the service shows is what holds, not what was once set. */
export function bodyOfChange(
  draft: ProviderDraft,
  provider: Provider,
): components['schemas']['UpdateProvider'] {
  const before = draftOf(provider)
  const isChanged = (field: keyof ProviderDraft) =>
    JSON.stringify(draft[field]) !== JSON.stringify(before[field])
  return {
    ...(isChanged('baseUrl') && { baseUrl: orNull(draft.baseUrl) }),
    ...(isChanged('options') && { options: optionsOf(draft) }),
    ...(isChanged('pricesOf') && { pricesOf: orNull(draft.pricesOf) }),
    ...(isChanged('auth') && { auth: draft.auth }),
    ...(isChanged('headers') && { headers: headersOf(draft) }),
    ...(isChanged('dialects') && { dialects: dialectsOf(draft) }),
    ...(isChanged('timeouts') && {
      timeouts: { ...timeoutsOf(draft), hangUpGraceMs: provider.timeouts.hangUpGraceMs },
    }),
  }
}
