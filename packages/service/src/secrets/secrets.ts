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

/** What a sealed value is and whose. It opens nowhere else: a value that was moved to another row or tenant does not. */
export interface SealedPlace {
  /** The table and column, or what else it is: `webhook_endpoints.secret`. */
  purpose: string
  tenantId: string
  rowId: string
}

/** It cannot be opened with the keys that are there, or it was changed or moved. */
export const undecryptable = 'undecryptable'

/** Encrypts what must not stand in the database in plain text. */
export interface Secrets {
  /** Rejects with 503 while there is no key to seal with. */
  seal(place: SealedPlace, plain: Uint8Array): Promise<Buffer>
  /** Rejects only if keys must be read and cannot be: the database is away, or the file is not readable. */
  open(place: SealedPlace, sealed: Buffer): Promise<Buffer | typeof undecryptable>
  /** Reads keys again when another process made or changed some. */
  reloadOnChange(changes: Changes): void
}

export interface SecretsOptions extends MasterKeySource {
  db: Db
  warn(message: string): void
  now?: () => number
}

const version = 1
const headerBytes = 1 + dataKeyIdBytes
// A data key that leaks opens what was sealed in this time, and no more.
const dataKeyMaxAgeMs = 30 * 86_400_000
// An unknown data key makes us read keys again: at once, and then once a second. A row that was tampered with must not make us
// do so at every call.
const reloadEveryMs = 1_000
const maxMissed = 1_000

/** Makes the first master key and the first data key, if this database has none yet. */
export async function openSecrets({ db, warn, now = Date.now, ...source }: SecretsOptions): Promise<Secrets> {
  /** Those that could be opened, by id in hex, oldest first. One that is here stays: its master key may be replaced. */
  // Bounded: data keys of the database, a new one every 30 days.
  const dataKeys = new Map<string, DataKey>()
  // Bounded: master keys of the operator.
  let masters: MasterKey[] = []
  let currentMasterId: string | null = null
  /** Data keys that could not be opened, and when that was. */
  // Bounded: 1,000; then it begins again.
  const missed = new Map<string, number>()
  let loading: Promise<void> | null = null
  let loadedAtMs = 0
  let outdated = false
  /** What was warned of: keys are read often, and one thing is said once. */
  // Bounded: warnings about sets of master keys, which operators change.
  const said = new Set<string>()
  function warnOnce(message: string): void {
    if (!said.has(message)) warn(message)
    said.add(message)
  }

  function load(): Promise<void> {
    loading ??= loadKeys()
      .catch((error: unknown) => {
        // What was announced is still to be read.
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
    // Data keys before master keys: a rotation writes the new master key to the file before it commits.
    let listed = await listDataKeys(db)
    masters = await loadMasterKeys(source, warnOnce)
    let missing = openAll(listed)
    // The operator may remove the old master key before it is read here. So data keys that were rotated meanwhile are listed again.
    while (missing.length > 0) {
      const before = listed
      listed = await listDataKeys(db)
      if (areUnderSameMasters(before, listed)) break
      masters = await loadMasterKeys(source, warnOnce)
      missing = openAll(listed)
    }
    currentMasterId = await readCurrentMasterKeyId(db)
    if (missing.length > 0) warnOnce(`${describeMissing(missing.join(', '), masters)} ${advice(source)}`)
  }

  /** Answers which master keys are missing, sorted. */
  function openAll(listed: readonly WrappedDataKey[]): string[] {
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
    // A load that began earlier may have missed it.
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

  function newest(): DataKey | undefined {
    return [...dataKeys.values()].reduce<DataKey | undefined>(
      (last, each) => (last && last.createdAt >= each.createdAt ? last : each),
      undefined,
    )
  }
  const isTooOld = (key: { createdAt: Date } | undefined) =>
    key === undefined || now() - key.createdAt.getTime() >= dataKeyMaxAgeMs

  async function dataKeyToSealWith(): Promise<DataKey> {
    if (outdated) await load()
    if (isTooOld(newest()) && now() - loadedAtMs >= reloadEveryMs) await load()
    if (isTooOld(newest())) await makeDataKey()
    const key = newest()
    if (key) return key
    throw unavailable(
      `Secrets cannot be sealed: this process does not have the master key ${currentMasterId}. ${advice(source)}`,
    )
  }

  /** Under the current master key only: under another one, the other replicas could not open what we seal. */
  async function makeDataKey(): Promise<void> {
    const master = masters.find(({ id }) => id === currentMasterId)
    if (!master) return
    await inTransaction(db, async (tx) => {
      await lockDataKeys(tx)
      const last = (await listDataKeys(tx)).at(-1)
      // Another replica may have made one while we waited.
      if (last && !isTooOld(last) && unwrap(last, masters) !== null) return
      if ((await readCurrentMasterKeyId(tx)) === master.id) await insertDataKey(tx, master)
    })
    await load()
  }

  await ensureFirstKeys(db, source, warn)
  await load()
  return {
    async seal(place, plain) {
      const { id, bytes } = await dataKeyToSealWith()
      const header = Buffer.concat([Buffer.from([version]), id])
      return Buffer.concat([header, encrypt(bytes, contextOf(header, place), plain)])
    },
    async open(place, sealed) {
      if (sealed[0] !== version || sealed.length <= headerBytes) return undecryptable
      const header = sealed.subarray(0, headerBytes)
      const key = await findDataKey(header.toString('hex', 1))
      if (!key) return undecryptable
      return decrypt(key.bytes, contextOf(header, place), sealed.subarray(headerBytes)) ?? undecryptable
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
 * Under a lock, so that of replicas with data directories of their own one makes the master key, and the others find that it
 * is not theirs. With data keys in the database and no master key here, none is made: it would open nothing.
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

const contextOf = (header: Buffer, { purpose, tenantId, rowId }: SealedPlace) =>
  Buffer.concat([header, Buffer.from(JSON.stringify([purpose, tenantId, rowId]))])

function describeMissing(missing: string, masters: readonly MasterKey[]): string {
  const own = masters.length === 0 ? 'it has none' : `it has ${masters.map(({ id }) => id).join(', ')}`
  return `This process does not have the master key ${missing} that secrets in the database are sealed under (${own}). They cannot be opened; everything else works, and nothing is overwritten.`
}

const advice = ({ configured, dataDir }: MasterKeySource) =>
  `Give it that key by ${configured === null ? `the file master-key in ${dataDir}, or TALLYSTICK_MASTER_KEY` : 'TALLYSTICK_MASTER_KEY'}; if it is lost, run tallystick master-key replace, then give each of them a new secret.`
