import { CloudIdentityError } from '../cloud/index.js'
import { parseReference, pickMember, type SecretValues, type StoreScheme } from '../config/index.js'
import { type SecretStore, SecretStoreError } from './secret-store.js'

export interface ReferenceReader {
  /** Reads these references again. One that cannot be read keeps its previous value. */
  read(references: Iterable<string>): Promise<SecretValues>
  /** Forgets the values of all other references: the configuration that is in use has these. */
  retain(references: Iterable<string>): void
  /** Reads all references again. Returns whether a value changed since. */
  hasChanges(): Promise<boolean>
  /** The references that cannot be read now, while the values that were read before are in use. The text says why. */
  outages(): ReadonlyMap<string, string>
}

type Result = { value: string } | { fault: string }

/** `open` throws a `SecretStoreError` for a store that is not configured. */
export function createSecretReader(open: (scheme: StoreScheme) => SecretStore): ReferenceReader {
  // Bounded: the references of the configuration.
  const last = new Map<string, Result>()
  // Bounded: the same.
  const outages = new Map<string, string>()

  async function readAll(references: Iterable<string>): Promise<Map<string, Result>> {
    // Several members of one secret are read once.
    const secrets = new Map<string, Promise<Result>>()
    const read = async (reference: string): Promise<[string, Result]> => {
      const { scheme, location, member } = parseReference(reference)
      if (scheme === 'env' || scheme === 'file') throw new Error(`${scheme} is not a store`)
      const key = `${scheme}:${location}`
      const reading = secrets.get(key) ?? readSecret(open, scheme, location)
      secrets.set(key, reading)
      const secret = await reading
      return [reference, 'value' in secret ? pickMember(secret.value, member) : secret]
    }
    const entries = await Promise.all([...new Set(references)].map(read))
    return new Map(entries.map(([reference, result]) => [reference, keepValue(reference, result)]))
  }

  function keepValue(reference: string, result: Result): Result {
    const before = last.get(reference)
    outages.delete(reference)
    if (!('fault' in result) || before === undefined || 'fault' in before) return result
    outages.set(reference, result.fault)
    return before
  }

  return {
    async read(references) {
      const results = await readAll(references)
      for (const [reference, result] of results) last.set(reference, result)
      return results
    },
    retain(references) {
      const kept = new Set(references)
      for (const reference of last.keys()) {
        if (kept.has(reference)) continue
        last.delete(reference)
        outages.delete(reference)
      }
    },
    async hasChanges() {
      const now = await readAll(last.keys())
      return [...now].some(
        ([reference, result]) => JSON.stringify(result) !== JSON.stringify(last.get(reference)),
      )
    },
    outages: () => outages,
  }
}

async function readSecret(
  open: (scheme: StoreScheme) => SecretStore,
  scheme: StoreScheme,
  location: string,
): Promise<Result> {
  try {
    return { value: await open(scheme).read(location) }
  } catch (error) {
    if (error instanceof SecretStoreError) return { fault: error.message }
    if (error instanceof CloudIdentityError) return { fault: `cannot be read: ${error.message}` }
    throw error
  }
}
