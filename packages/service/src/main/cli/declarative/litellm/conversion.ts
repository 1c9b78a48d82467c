import type { Json } from '../json.js'

/** Collects documents, and what could not be converted with the reason. */
export interface Conversion {
  add(kind: string, name: string, spec: Json): void
  report(path: string, reason: string): void
}

/** A name of lower-case letters, digits and dashes. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'unnamed'

/** `os.environ/NAME` becomes a reference. Another value is a secret, which is not copied: the reference is to a new variable. */
export function referenceTo(value: unknown, fallback: string): { reference: string; isCopied: boolean } {
  const [, name] = /^os\.environ\/([A-Za-z_][A-Za-z0-9_]*)$/.exec(String(value)) ?? []
  const variable = name ?? fallback.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()
  return { reference: `\${env:${variable}}`, isCopied: name !== undefined }
}

/** Periods of LiteLLM as calendar periods. */
export function periodOf(duration: unknown): { period: string; isExact: boolean } {
  const known: Readonly<Record<string, string>> = {
    '24h': 'daily',
    '1d': 'daily',
    '7d': 'weekly',
    '1w': 'weekly',
    '30d': 'monthly',
    '1mo': 'monthly',
  }
  const period = known[String(duration)]
  if (period !== undefined) return { period, isExact: true }
  return { period: 'total', isExact: duration === undefined || duration === null }
}
