import type { Changes, Db } from '../../db/index.js'
import type { LedgerLog } from '../log.js'
import { publishSigningKey } from './published-keys.js'
import { loadOrCreateSigningKey, type SigningKey, type SigningKeySource } from './signing-key.js'

/** The key that this process seals with now. It can change between two seals. */
export interface CurrentSigningKey extends SigningKey {
  /** Reloads the key whenever keys are published or retired. */
  reloadOnChange(changes: Changes, log: LedgerLog): void
}

/** Rejects when the key was retired: the database would refuse its seals. */
export async function openCurrentSigningKey(db: Db, source: SigningKeySource): Promise<CurrentSigningKey> {
  async function load(): Promise<{ key: SigningKey; retiredAt: Date | null }> {
    const key = await loadOrCreateSigningKey(source)
    const { retiredAt } = await publishSigningKey(db, key.publicKey)
    return { key, retiredAt }
  }

  const first = await load()
  if (first.retiredAt !== null)
    throw new Error(
      `The signing key ${first.key.publicKey.id} was retired on ${first.retiredAt.toISOString()}; ${advice(source)}`,
    )
  let current = first.key

  async function reload(log: LedgerLog): Promise<void> {
    const { key, retiredAt } = await load()
    const { id } = key.publicKey
    if (retiredAt !== null)
      return log.error({ key: id }, `this process has a signing key that was retired; ${advice(source)}`)
    if (id === current.publicKey.id) return
    current = key
    log.warn({ key: id }, 'the record is sealed with a new key from here on')
  }

  return {
    get publicKey() {
      return current.publicKey
    },
    sign: (message) => current.sign(message),
    reloadOnChange(changes, log) {
      const start = () =>
        void reload(log).catch((error: unknown) =>
          log.error({ err: error }, 'the signing key cannot be reloaded; the current one stays in use'),
        )
      changes.subscribe({
        onChange: ({ table }) => (table === 'signing_keys' ? start() : undefined),
        onGap: start,
      })
    },
  }
}

const advice = ({ configured }: SigningKeySource) =>
  configured === null
    ? 'remove signing-key.pem from the data directory to have a new one made'
    : 'set TALLYSTICK_SIGNING_KEY to another one'
