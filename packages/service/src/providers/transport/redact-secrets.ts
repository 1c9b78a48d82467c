import type { StreamDecoder } from '../vendors/index.js'

// A shorter value would occur in any message by chance.
const minLength = 6
const redacted = '[hidden]'

/**
 * Returns the header values that must not appear in a server's messages: some servers repeat in their errors what
 * they were sent.
 */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  const values = Object.values(headers).map((value) => value.replace(/^(?:bearer|basic) +/i, ''))
  // A server may repeat a value unchanged, or escaped in JSON.
  const variants = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
  return [...new Set(variants)].filter((value) => value.length >= minLength)
}

/** Remembers the secrets of the last headers, because most calls of a provider have the same credential. */
export function rememberLast(read: typeof secretsIn): typeof secretsIn {
  let values: string[] = []
  let secrets: string[] | null = null
  return (headers) => {
    const current = Object.values(headers)
    const isSame = current.length === values.length && current.every((value, i) => value === values[i])
    if (secrets === null || !isSame) secrets = read(headers)
    values = current
    return secrets
  }
}

/** Removes the headers that repeat one of these secrets. */
export const withoutSecrets = (
  headers: Record<string, string>,
  secrets: readonly string[],
): Record<string, string> => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (!secrets.some((secret) => value.includes(secret))) kept[name] = value
  return kept
}

/** Removes secrets from an answer, however it is split into pieces. */
export class SecretRedactor implements StreamDecoder {
  readonly contentType: string
  readonly #secrets: readonly string[]
  /** This many characters at the end may be the start of a secret. */
  readonly #overlap: number
  /** One character per byte: the search is for ASCII. */
  #text = ''

  constructor(secrets: readonly string[], contentType: string) {
    this.#secrets = secrets
    this.contentType = contentType
    this.#overlap = Math.max(0, ...secrets.map(({ length }) => length - 1))
  }

  push(chunk: Buffer): Buffer {
    this.#add(chunk.toString('latin1'))
    return this.#take(Math.max(0, this.#text.length - this.#overlap))
  }

  end(): Buffer {
    return this.#take(this.#text.length)
  }

  #add(text: string): void {
    this.#text = this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, redacted), this.#text + text)
  }

  #take(length: number): Buffer {
    const taken = this.#text.slice(0, length)
    this.#text = this.#text.slice(length)
    return Buffer.from(taken, 'latin1')
  }
}
