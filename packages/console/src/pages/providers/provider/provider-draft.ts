import type { components } from '../../../api'
import { parseHeaders, parseNames, parseScaled } from '../../../components'
import { formatInteger } from '../../../format'
import type { Provider } from '../use-providers'
import { currentMonth } from './add-credential'
import { findType } from './types'

/** The values of the provider form: numbers and lists are text. */
export interface ProviderDraft {
  name: string
  type: string
  /** Empty for the default address of the type. */
  baseUrl: string
  options: Record<string, string>
  /** Empty for the provider's own prices. */
  pricesOf: string
  auth: Provider['auth']
  references: Provider['references']
  credentialName: string
  credentialValue: string
  /** `name: value`, one per line. */
  headers: string
  /** Separated by spaces or commas; empty for all endpoints of the type. */
  dialects: string
  /** In seconds; empty for the default. */
  timeouts: Record<TimeoutName, string>
  /** In MiB; empty for the default. */
  limits: Record<LimitName, string>
}

export const timeoutNames = ['connectMs', 'firstByteMs', 'idleMs', 'totalMs'] as const
export type TimeoutName = (typeof timeoutNames)[number]

export const limitNames = ['maxStreamBytes', 'maxAnswerBytes'] as const
export type LimitName = (typeof limitNames)[number]

const mebibyte = 1_048_576
const minLimitMiB = 0.001
const maxLimitMiB: Record<LimitName, number> = { maxStreamBytes: 1_048_576, maxAnswerBytes: 128 }

/** Validated here because the service counts in bytes and would report bytes. */
export const validate = ({ limits }: ProviderDraft) =>
  Object.fromEntries(
    limitNames.map((name) => {
      const size = Number(limits[name])
      const isInRange = size >= minLimitMiB && size <= maxLimitMiB[name]
      const range = `Enter a number from ${minLimitMiB} to ${formatInteger(maxLimitMiB[name])}`
      return [`limits.${name}`, limits[name].trim() === '' || isInRange ? null : range]
    }),
  )

const eachOf = <Name extends string>(names: readonly Name[], value: (name: Name) => string) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, string>

export const toDraft = (provider: Provider | null): ProviderDraft => ({
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
  timeouts: eachOf(timeoutNames, (name) => (provider ? String(provider.timeouts[name] / 1_000) : '')),
  limits: eachOf(limitNames, (name) => (provider ? String(provider.limits[name] / mebibyte) : '')),
})

/** Options, address and prices depend on the type, so changing it resets them. */
export const withType = (type: string): Partial<ProviderDraft> => ({
  type,
  baseUrl: '',
  options: {},
  pricesOf: findType(type)?.pricesOf ?? '',
})

/** The values that were entered, as whole numbers in the unit of the API. */
const scaleAll = <Name extends string>(texts: Record<Name, string>, factor: number) =>
  Object.fromEntries(
    Object.entries<string>(texts).flatMap(([name, text]) => {
      const value = parseScaled(text, factor)
      return value === null ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, number>>

export function toBody(draft: ProviderDraft): components['schemas']['CreateProvider'] {
  const dialects = parseNames(draft.dialects)
  return {
    name: draft.name,
    type: draft.type,
    baseUrl: draft.baseUrl.trim() || null,
    options: Object.fromEntries(Object.entries(draft.options).filter(([, value]) => value.trim() !== '')),
    pricesOf: draft.pricesOf.trim() || null,
    auth: draft.auth,
    references: draft.references,
    headers: parseHeaders(draft.headers),
    dialects: dialects.length === 0 ? null : dialects,
    timeouts: scaleAll(draft.timeouts, 1_000),
    limits: scaleAll(draft.limits, mebibyte),
    credentials:
      draft.credentialValue === '' ? [] : [{ name: draft.credentialName, value: draft.credentialValue }],
  }
}
