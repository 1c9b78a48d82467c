import { type Changes, type Db, type Periodic, startPeriodic } from '../../db/index.js'
import type { LedgerLog } from '../log.js'
import { findLastSealingKey, publishSigningKey } from './published-keys.js'
import { loadOrCreateSigningKey, type SigningKey, type SigningKeySource } from './signing-key.js'

const checkEveryMs = 60_000

/** The key that this process seals with now. It can change between two seals. */
export interface CurrentSigningKey extends SigningKey {
  /** Reloads the key whenever keys are published or retired. */
  reloadOnChange(changes: Changes, log: LedgerLog): void
  /** Warns of another key that seals beside this one: a replica was started without the key that all share. */
  watchOtherKeys(options: { log: LedgerLog; onError(error: unknown): void; everyMs?: number }): Periodic
}

/**
 * Rejects when the key was retired: the database would refuse its seals. Warns when another key sealed last and is not retired: the
 * data directory may be the wrong one, or a key was lost.
 */
export async function openCurrentSigningKey(
  db: Db,
  source: SigningKeySource,
  warn: (message: string) => void,
): Promise<CurrentSigningKey> {
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
  /** Keys that were warned of. */
  // Bounded: signing keys of the database.
  const warnedOf = new Set<string>()

  async function checkForOtherKeys(say: (message: string) => void): Promise<void> {
    const own = current.publicKey.id
    const last = await findLastSealingKey(db)
    if (last === null || last.id === own || last.retiredAt !== null || warnedOf.has(last.id)) return
    warnedOf.add(last.id)
    say(describeOtherKey(own, last.id))
  }

  await checkForOtherKeys(warn)

  async function reload(log: LedgerLog): Promise<void> {
    const { key, retiredAt } = await load()
    const { id } = key.publicKey
    if (retiredAt !== null)
      return log.error(
        { signingKey: id },
        `this process has a signing key that was retired; ${advice(source)}`,
      )
    if (id === current.publicKey.id) return
    current = key
    log.warn({ signingKey: id }, 'the record is sealed with a new key from here on')
  }

  return {
    get publicKey() {
      return current.publicKey
    },
    sign: (message) => current.sign(message),
    watchOtherKeys: ({ log, onError, everyMs = checkEveryMs }) =>
      startPeriodic({
        run: () => checkForOtherKeys((message) => log.warn({}, message)),
        everyMs,
        onError,
      }),
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

const describeOtherKey = (own: string, last: string) =>
  `This process seals with the key ${own}; the last seal is by ${last}, which is not retired. If that key is still in use, give it to this process as well (signing-key.pem in its data directory, or TALLYSTICK_SIGNING_KEY); if it was replaced or lost, run tallystick signing-key retire ${last}`

const advice = ({ configured }: SigningKeySource) =>
  configured === null
    ? 'remove signing-key.pem from the data directory to have a new one made'
    : 'set TALLYSTICK_SIGNING_KEY to another one'
