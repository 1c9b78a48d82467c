import type { Kind, Policy } from '../policy'

export const entities = ['email', 'phone', 'credit_card', 'iban', 'us_ssn', 'ip_address'] as const
export const entityNames: Record<(typeof entities)[number], string> = {
  email: 'Email addresses',
  phone: 'Phone numbers',
  credit_card: 'Card numbers',
  iban: 'IBANs',
  us_ssn: 'US social security numbers',
  ip_address: 'IP addresses',
}

export interface Pattern {
  name: string
  regex: string
}

/** The settings of all kinds as they stand in the form: numbers as they are typed, lists as lines. */
export interface Fields {
  models: string
  words: string
  caseSensitive: boolean
  patterns: readonly Pattern[]
  entities: readonly string[]
  restore: boolean
  maxInputTokens: string
  maxOutputTokens: string
  maxMessages: string
  /** Whether only the tools in `allow` may be used: an empty list then allows none. */
  hasAllow: boolean
  allow: string
  deny: string
  cel: string
  url: string
  timeoutMs: string
  onError: 'block' | 'allow'
}

export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

export function readFields(config: Policy['config'] | object): Fields {
  const record: Record<string, unknown> = { ...config }
  const text = (name: string, fallback = '') => {
    const value = record[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback
  }
  const list = (name: string) => {
    const value = record[name]
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  }
  return {
    models: list('models').join('\n'),
    words: list('words').join('\n'),
    caseSensitive: record.caseSensitive === true,
    patterns: readPatterns(record.patterns),
    entities: record.entities === undefined ? ['email', 'phone', 'credit_card'] : list('entities'),
    restore: record.restore === true,
    maxInputTokens: text('maxInputTokens'),
    maxOutputTokens: text('maxOutputTokens'),
    maxMessages: text('maxMessages'),
    hasAllow: record.allow !== undefined,
    allow: list('allow').join('\n'),
    deny: list('deny').join('\n'),
    cel: text('cel'),
    url: text('url'),
    timeoutMs: text('timeoutMs', '1000'),
    onError: record.onError === 'allow' ? 'allow' : 'block',
  }
}

function readPatterns(value: unknown): Pattern[] {
  if (!Array.isArray(value)) return [{ name: '', regex: '' }]
  return value.map((each: Partial<Pattern>) => ({ name: each.name ?? '', regex: each.regex ?? '' }))
}

/** What is sent. `isRedacting`: only then can something be put back into the answer. */
export function writeConfig(kind: Kind, fields: Fields, isRedacting: boolean): Record<string, unknown> {
  const restore = isRedacting && fields.restore ? { restore: true } : {}
  const number = (name: 'maxInputTokens' | 'maxOutputTokens' | 'maxMessages') =>
    fields[name].trim() === '' ? {} : { [name]: Number(fields[name]) }
  switch (kind) {
    case 'model_allowlist':
    case 'model_denylist':
      return { models: linesOf(fields.models) }
    case 'keywords':
      return { words: linesOf(fields.words), caseSensitive: fields.caseSensitive, ...restore }
    case 'pattern':
      return { patterns: fields.patterns, ...restore }
    case 'pii':
      return { entities: fields.entities, ...restore }
    case 'secrets':
      return restore
    case 'limits':
      return { ...number('maxInputTokens'), ...number('maxOutputTokens'), ...number('maxMessages') }
    case 'tools':
      return {
        ...(fields.hasAllow && { allow: linesOf(fields.allow) }),
        ...(linesOf(fields.deny).length > 0 && { deny: linesOf(fields.deny) }),
      }
    case 'expression':
      return { cel: fields.cel }
    case 'http':
      return { url: fields.url.trim(), timeoutMs: Number(fields.timeoutMs), onError: fields.onError }
  }
}

/** Whether there is enough to ask the service about: a form that was just opened has no faults yet. */
export function isFilledIn(kind: Kind, fields: Fields): boolean {
  switch (kind) {
    case 'model_allowlist':
    case 'model_denylist':
      return linesOf(fields.models).length > 0
    case 'keywords':
      return linesOf(fields.words).length > 0
    case 'pattern':
      return (
        fields.patterns.length > 0 && fields.patterns.every(({ name, regex }) => name !== '' && regex !== '')
      )
    case 'pii':
      return fields.entities.length > 0
    case 'secrets':
      return true
    case 'limits':
      return [fields.maxInputTokens, fields.maxOutputTokens, fields.maxMessages].some((each) => each !== '')
    case 'tools':
      return fields.hasAllow || linesOf(fields.deny).length > 0
    case 'expression':
      return fields.cel.trim() !== ''
    case 'http':
      return fields.url.trim() !== ''
  }
}
