import { type Db, inTransaction, type Tx } from '../db/index.js'
import { conflict, notFound } from '../shared/errors.js'
import {
  insertDataKey,
  listDataKeys,
  lockDataKeys,
  readCurrentMasterKeyId,
  rewrapDataKey,
  setCurrentMasterKey,
  unwrap,
} from './data-keys.js'
import {
  addMasterKeyToFile,
  createMasterKeyFile,
  loadMasterKeys,
  type MasterKey,
  type MasterKeySource,
} from './master-keys.js'

export interface MasterKeyStatus {
  /** The id of the current master key. Null before the first start. */
  currentId: string | null
  /** The ids of the keys on this machine, newest first. */
  ownIds: string[]
  /** The number of data keys under each master key. */
  dataKeys: Map<string, number>
}

const ignoreWarnings = () => undefined

export async function readMasterKeyStatus(db: Db, source: MasterKeySource): Promise<MasterKeyStatus> {
  const dataKeys = new Map<string, number>()
  for (const { masterKeyId } of await listDataKeys(db))
    dataKeys.set(masterKeyId, (dataKeys.get(masterKeyId) ?? 0) + 1)
  const masters = await loadMasterKeys(source, ignoreWarnings)
  return { currentId: await readCurrentMasterKeyId(db), ownIds: masters.map(({ id }) => id), dataKeys }
}

/**
 * Encrypts every data key under a new master key, in one transaction, while the service runs. Sealed values do not change. The new key
 * is written to the file before the database uses it, so that the key is always available, and the next attempt completes one that
 * failed in between. A new data key is created as well, so that the old master key and a copy of the database do not open values that
 * are sealed from then on.
 */
export async function rotateMasterKey(
  db: Db,
  source: MasterKeySource,
): Promise<{ oldId: string; newId: string; rewrapped: number }> {
  return await inTransaction(db, async (tx) => {
    await lockDataKeys(tx)
    const oldId = await readCurrentMasterKeyId(tx)
    const known = await loadMasterKeys(source, ignoreWarnings)
    if (oldId === null) throw notFound('master key yet: the first `tallystick serve` makes one')
    if (!known.some(({ id }) => id === oldId))
      throw notFound(
        `master key ${oldId} here: run this where the service has it. If it is lost: tallystick master-key replace`,
      )
    const keys = known[0]?.id === oldId ? await addKey(source, known) : known
    const [next] = keys
    if (!next) throw notFound('master key')
    const rewrapped = await rewrapAll(tx, keys, next)
    await insertDataKey(tx, next)
    await setCurrentMasterKey(tx, next)
    return { oldId, newId: next.id, rewrapped }
  })
}

/** Adds a new master key to the file in the data directory. The operator has to change a key that is configured elsewhere. */
async function addKey(source: MasterKeySource, known: readonly MasterKey[]): Promise<MasterKey[]> {
  if (source.configured === null) return await addMasterKeyToFile(source.dataDir, known)
  throw conflict(
    'TALLYSTICK_MASTER_KEY names the key: put a new one before it (new,old), for every replica, then run this again; afterwards the old one can be taken away',
  )
}

async function rewrapAll(tx: Tx, keys: readonly MasterKey[], next: MasterKey): Promise<number> {
  let rewrapped = 0
  for (const wrapped of await listDataKeys(tx)) {
    const key = unwrap(wrapped, keys)
    // A data key whose master key is lost stays unchanged, because the master key may be found.
    if (key === null) continue
    await rewrapDataKey(tx, key, next)
    rewrapped++
  }
  return rewrapped
}

/**
 * Replaces a master key that is lost. Values that were sealed under it cannot be opened until the lost key is found and added after the
 * new one.
 */
export async function replaceLostMasterKey(
  db: Db,
  source: MasterKeySource,
): Promise<{ lostId: string; newId: string }> {
  return await inTransaction(db, async (tx) => {
    await lockDataKeys(tx)
    const lostId = await readCurrentMasterKeyId(tx)
    if (lostId === null) throw notFound('master key yet: the first `tallystick serve` makes one')
    const known = await loadMasterKeys(source, ignoreWarnings)
    if (known.some(({ id }) => id === lostId))
      throw conflict(
        `The master key ${lostId} is here: it is not lost. To change it: tallystick master-key rotate`,
      )
    const [next] = known.length > 0 ? known : await createMasterKeyFile(source.dataDir)
    if (!next) throw notFound('master key')
    await insertDataKey(tx, next)
    await setCurrentMasterKey(tx, next)
    return { lostId, newId: next.id }
  })
}
