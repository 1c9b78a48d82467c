import type { components } from '../../../api'
import { formatInteger } from '../../../format'
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
  references: Provider['references']
  credentialName: string
  credentialValue: string
  /** `name: value`, one per line. */
  headers: string
  /** Separated by spaces or commas; empty for what its type answers. */
  dialects: string
  /** In seconds; empty for the usual. */
  timeouts: Record<TimeoutName, string>
  /** In MiB; empty for the usual. */
  limits: Record<LimitName, string>
}

export const timeoutNames = ['connectMs', 'firstByteMs', 'idleMs', 'totalMs'] as const
export type TimeoutName = (typeof timeoutNames)[number]

export const limitNames = ['maxStreamBytes', 'maxAnswerBytes'] as const
export type LimitName = (typeof limitNames)[number]

const mebibyte = 1_048_576
const minLimitMiB = 0.001
const maxLimitMiB: Record<LimitName, number> = { maxStreamBytes: 1_048_576, maxAnswerBytes: 128 }

/** What is wrong with a size, in the words of the field: the service counts bytes. */
export function faultOfLimit({ limits }: ProviderDraft, name: LimitName): string | null {
  const text = limits[name].trim()
  if (text === '') return null
  const size = Number(text)
  if (size >= minLimitMiB && size <= maxLimitMiB[name]) return null
  return `A number from ${minLimitMiB} to ${formatInteger(maxLimitMiB[name])}`
}

const noTimeouts: ProviderDraft['timeouts'] = { connectMs: '', firstByteMs: '', idleMs: '', totalMs: '' }

export const draftOf = (provider: Provider | null): ProviderDraft => ({
  name: provider?.name ?? '',
  type: provider?.type ?? 'openai',
  baseUrl: provider?.baseUrl ?? '',
  options: provider?.options ?? {},
  pricesOf: provider?.pricesOf ?? 'openai',
  auth: provider?.auth ?? 'own',
  references: provider?.references ?? 'issued',
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
  limits: {
    maxStreamBytes: provider ? String(provider.limits.maxStreamBytes / mebibyte) : '',
    maxAnswerBytes: provider ? String(provider.limits.maxAnswerBytes / mebibyte) : '',
  },
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

const limitsOf = ({ limits }: ProviderDraft): Partial<Record<LimitName, number>> =>
  Object.fromEntries(
    limitNames.flatMap((name) =>
      limits[name].trim() === '' ? [] : [[name, Math.round(Number(limits[name]) * mebibyte)]],
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
  references: draft.references,
  headers: headersOf(draft),
  dialects: dialectsOf(draft),
  timeouts: timeoutsOf(draft),
  limits: limitsOf(draft),
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
    ...(isChanged('references') && { references: draft.references }),
    ...(isChanged('headers') && { headers: headersOf(draft) }),
    ...(isChanged('dialects') && { dialects: dialectsOf(draft) }),
    ...(isChanged('timeouts') && {
      timeouts: { ...timeoutsOf(draft), hangUpGraceMs: provider.timeouts.hangUpGraceMs },
    }),
    ...(isChanged('limits') && { limits: limitsOf(draft) }),
  }
}
