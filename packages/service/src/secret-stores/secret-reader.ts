import { CloudIdentityError } from '../cloud/index.js'
import { parseReference, pickMember, type SecretValues, type StoreScheme } from '../config/index.js'
import { type SecretStore, SecretStoreError } from './secret-store.js'

export interface ReferenceReader {
  /** Reads these references again. One that cannot be read keeps its previous value. */
  read(references: Iterable<string>): Promise<SecretValues>
  /** Reads everything that `read` returned last. Returns whether a value changed since. */
  hasChanges(): Promise<boolean>
}

type Result = { value: string } | { fault: string }

/** `open` returns null for a store that is not configured. `onOutage` is told once for each reference, until it can be read again. */
export function createSecretReader(
  open: (scheme: StoreScheme) => SecretStore,
  onOutage: (message: string) => void = () => undefined,
): ReferenceReader {
  // Bounded: the references of the configuration.
  let last = new Map<string, Result>()
  // Bounded: the same.
  let failing = new Set<string>()

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
    const stillFailing = new Set<string>()
    const results = entries.map(([reference, result]): [string, Result] => {
      const before = last.get(reference)
      if (!('fault' in result) || before === undefined || 'fault' in before) return [reference, result]
      stillFailing.add(reference)
      if (!failing.has(reference))
        onOutage(`${reference} ${result.fault}. The value that was read before stays in use`)
      return [reference, before]
    })
    failing = stillFailing
    return new Map(results)
  }

  return {
    async read(references) {
      last = await readAll(references)
      return last
    },
    async hasChanges() {
      const now = await readAll(last.keys())
      return [...now].some(
        ([reference, result]) => JSON.stringify(result) !== JSON.stringify(last.get(reference)),
      )
    },
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
