import { type Changes, type Db, inTransaction } from '../db/index.js'
import { unavailable } from '../shared/errors.js'
import { decrypt, encrypt } from './cipher.js'
import {
  type DataKey,
  dataKeyIdBytes,
  insertDataKey,
  listDataKeys,
  lockDataKeys,
  readCurrentMasterKeyId,
  setCurrentMasterKey,
  unwrap,
  type WrappedDataKey,
} from './data-keys.js'
import { createMasterKeyFile, loadMasterKeys, type MasterKey, type MasterKeySource } from './master-keys.js'

/** The location of a sealed value. It is authenticated, so a value that was moved to another row or tenant cannot be opened. */
export interface SealedLocation {
  /** What the value is, usually its table and column: `webhook_endpoints.secret`. */
  purpose: string
  tenantId: string
  rowId: string
}

/** A sealed value that was changed or moved, or whose key is not available. */
export const undecryptable = 'undecryptable'

/** Encrypts values that must not be in the database in plain text. */
export interface Secrets {
  /** Rejects with 503 while there is no key to seal with. */
  seal(location: SealedLocation, plain: Uint8Array): Promise<Buffer>
  /** Rejects only when keys must be read and the database or the key file cannot be read. */
  open(location: SealedLocation, sealed: Buffer): Promise<Buffer | typeof undecryptable>
  /** Reads the keys again when another process created or changed one. */
  reloadOnChange(changes: Changes): void
}

export interface SecretsOptions extends MasterKeySource {
  db: Db
  warn(message: string): void
  now?: () => number
}

const version = 1
const headerBytes = 1 + dataKeyIdBytes
// A data key is used for this long, so that a leaked key opens only the values of that time.
const dataKeyMaxAgeMs = 30 * 86_400_000
// When a data key is unknown, keys are read again at once, and then at most once a second. Otherwise a row that was tampered with would
// cause a read for every call.
const reloadEveryMs = 1_000
const maxMissed = 1_000

/** Creates the first master key and the first data key if the database has none yet. */
export async function openSecrets({ db, warn, now = Date.now, ...source }: SecretsOptions): Promise<Secrets> {
  /** The data keys that could be unwrapped, by id in hex, oldest first. A key stays here when its master key is replaced. */
  // Bounded: data keys of the database, a new one every 30 days.
  const dataKeys = new Map<string, DataKey>()
  // Bounded: the operator's master keys.
  let masters: MasterKey[] = []
  let currentMasterId: string | null = null
  /** The data keys that could not be unwrapped, with the time of the last attempt. */
  // Bounded: cleared at 1,000.
  const missed = new Map<string, number>()
  let loading: Promise<void> | null = null
  let loadedAtMs = 0
  let outdated = false
  /** The warnings that were logged. Keys are read often, and each warning is logged once. */
  // Bounded: warnings about sets of master keys, which operators change by hand.
  const warned = new Set<string>()
  function warnOnce(message: string): void {
    if (!warned.has(message)) warn(message)
    warned.add(message)
  }

  function load(): Promise<void> {
    loading ??= loadKeys()
      .catch((error: unknown) => {
        // The change that caused this load has not been read.
        outdated = true
        throw error
      })
      .finally(() => {
        loading = null
      })
    return loading
  }

  async function loadKeys(): Promise<void> {
    outdated = false
    loadedAtMs = now()
    // Data keys are read before master keys, because a rotation writes the new master key to the file before it commits.
    let listed = await listDataKeys(db)
    masters = await loadMasterKeys(source, warnOnce)
    let missing = unwrapAll(listed)
    // A rotation during this read may end with the removal of the old master key. So the data keys are listed again until they stay the same.
    while (missing.length > 0) {
      const before = listed
      listed = await listDataKeys(db)
      if (areUnderSameMasters(before, listed)) break
      masters = await loadMasterKeys(source, warnOnce)
      missing = unwrapAll(listed)
    }
    currentMasterId = await readCurrentMasterKeyId(db)
    if (missing.length > 0) warnOnce(`${describeMissing(missing.join(', '), masters)} ${advice(source)}`)
  }

  /** Unwraps data keys. Returns the ids of missing master keys, sorted. */
  function unwrapAll(listed: readonly WrappedDataKey[]): string[] {
    const missing = new Set<string>()
    for (const wrapped of listed) {
      const name = wrapped.id.toString('hex')
      const known = dataKeys.get(name)
      const opened = unwrap(wrapped, masters)
      if (opened === null) missing.add(wrapped.masterKeyId)
      if (!known && opened !== null) dataKeys.set(name, opened)
    }
    return [...missing].sort()
  }

  async function findDataKey(name: string): Promise<DataKey | undefined> {
    // A load that began earlier may not include the key.
    if (!dataKeys.has(name) && loading) await loading
    const missedAtMs = missed.get(name)
    const isDue = missedAtMs === undefined || outdated || now() - missedAtMs >= reloadEveryMs
    if (!dataKeys.has(name) && isDue) {
      await load()
      if (missed.size >= maxMissed) missed.clear()
      missed.set(name, now())
    }
    return dataKeys.get(name)
  }

  function newestDataKey(): DataKey | undefined {
    return [...dataKeys.values()].reduce<DataKey | undefined>(
      (last, each) => (last && last.createdAt >= each.createdAt ? last : each),
      undefined,
    )
  }
  const isTooOld = (key: { createdAt: Date } | undefined) =>
    key === undefined || now() - key.createdAt.getTime() >= dataKeyMaxAgeMs

  async function findSealingKey(): Promise<DataKey> {
    if (outdated) await load()
    if (isTooOld(newestDataKey()) && now() - loadedAtMs >= reloadEveryMs) await load()
    if (isTooOld(newestDataKey())) await createDataKey()
    const key = newestDataKey()
    if (key) return key
    throw unavailable(
      `Secrets cannot be sealed: this process does not have the master key ${currentMasterId}. ${advice(source)}`,
    )
  }

  /** Creates a data key under the current master key. Other replicas may not have another master key, and could not open the values. */
  async function createDataKey(): Promise<void> {
    const master = masters.find(({ id }) => id === currentMasterId)
    if (!master) return
    await inTransaction(db, async (tx) => {
      await lockDataKeys(tx)
      const last = (await listDataKeys(tx)).at(-1)
      // Another replica may have created one while this one waited for the lock.
      if (last && !isTooOld(last) && unwrap(last, masters) !== null) return
      if ((await readCurrentMasterKeyId(tx)) === master.id) await insertDataKey(tx, master)
    })
    await load()
  }

  await ensureFirstKeys(db, source, warn)
  await load()
  return {
    async seal(location, plain) {
      const { id, bytes } = await findSealingKey()
      const header = Buffer.concat([Buffer.from([version]), id])
      return Buffer.concat([header, encrypt(bytes, contextOf(header, location), plain)])
    },
    async open(location, sealed) {
      if (sealed[0] !== version || sealed.length <= headerBytes) return undecryptable
      const header = sealed.subarray(0, headerBytes)
      const key = await findDataKey(header.toString('hex', 1))
      if (!key) return undecryptable
      return decrypt(key.bytes, contextOf(header, location), sealed.subarray(headerBytes)) ?? undecryptable
    },
    reloadOnChange(changes) {
      const markOutdated = () => {
        outdated = true
      }
      changes.subscribe({
        onChange: ({ table }) => (table === 'data_keys' ? markOutdated() : undefined),
        onGap: markOutdated,
      })
    },
  }
}

/**
 * Creates the first keys under a lock: of several replicas with separate data directories, one creates the master key, and the others
 * report that they do not have it. A new master key is not created when the database has data keys, which it could not unwrap.
 */
async function ensureFirstKeys(
  db: Db,
  source: MasterKeySource,
  warn: (message: string) => void,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockDataKeys(tx)
    if ((await readCurrentMasterKeyId(tx)) !== null) return
    const existing = await loadMasterKeys(source, warn)
    const [master] = existing.length > 0 ? existing : await createMasterKeyFile(source.dataDir)
    if (!master) return
    await setCurrentMasterKey(tx, master)
    await insertDataKey(tx, master)
  })
}

const areUnderSameMasters = (some: readonly WrappedDataKey[], others: readonly WrappedDataKey[]) =>
  some.length === others.length &&
  some.every(({ id, masterKeyId }, at) => {
    const other = others[at]
    return other !== undefined && id.equals(other.id) && masterKeyId === other.masterKeyId
  })

const contextOf = (header: Buffer, { purpose, tenantId, rowId }: SealedLocation) =>
  Buffer.concat([header, Buffer.from(JSON.stringify([purpose, tenantId, rowId]))])

function describeMissing(missing: string, masters: readonly MasterKey[]): string {
  const own = masters.length === 0 ? 'it has none' : `it has ${masters.map(({ id }) => id).join(', ')}`
  return `This process does not have the master key ${missing} that secrets in the database are sealed under (${own}). They cannot be opened; everything else works, and nothing is overwritten.`
}

const advice = ({ configured, dataDir }: MasterKeySource) =>
  `Give it that key by ${configured === null ? `the file master-key in ${dataDir}, or TALLYSTICK_MASTER_KEY` : 'TALLYSTICK_MASTER_KEY'}; if it is lost, run tallystick master-key replace, then give each of them a new secret.`
