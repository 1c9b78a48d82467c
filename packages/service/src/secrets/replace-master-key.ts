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
  /** Null before the first start. */
  currentId: string | null
  /** The keys that this machine has, the newest first. */
  ownIds: string[]
  /** How many data keys are encrypted under each master key. */
  dataKeys: Map<string, number>
}

const sayNothing = () => undefined

export async function readMasterKeyStatus(db: Db, source: MasterKeySource): Promise<MasterKeyStatus> {
  const dataKeys = new Map<string, number>()
  for (const { masterKeyId } of await listDataKeys(db))
    dataKeys.set(masterKeyId, (dataKeys.get(masterKeyId) ?? 0) + 1)
  const masters = await loadMasterKeys(source, sayNothing)
  return { currentId: await readCurrentMasterKeyId(db), ownIds: masters.map(({ id }) => id), dataKeys }
}

/**
 * Encrypts every data key under a new master key, in one transaction, while the service runs: what is sealed stays as it is.
 * The file has the new key before the database does, so that no moment is without a key; an attempt that failed in between is
 * completed by the next one. A new data key is made as well: whoever had the old master key and a copy of the
 * database opens nothing that is sealed from here on.
 */
export async function rotateMasterKey(
  db: Db,
  source: MasterKeySource,
): Promise<{ oldId: string; newId: string; rewrapped: number }> {
  return await inTransaction(db, async (tx) => {
    await lockDataKeys(tx)
    const oldId = await readCurrentMasterKeyId(tx)
    const known = await loadMasterKeys(source, sayNothing)
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

/** A configured key is replaced by the operator: this program cannot write to where it came from. */
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
    // What is under a key that was lost stays as it is: it may be found.
    if (key === null) continue
    await rewrapDataKey(tx, key, next)
    rewrapped++
  }
  return rewrapped
}

/**
 * Goes on with another master key because the current one is lost. What is sealed under that one stays as it is and can be
 * opened again if it is found and put after the new one; until then it is undecryptable.
 */
export async function replaceLostMasterKey(
  db: Db,
  source: MasterKeySource,
): Promise<{ lostId: string; newId: string }> {
  return await inTransaction(db, async (tx) => {
    await lockDataKeys(tx)
    const lostId = await readCurrentMasterKeyId(tx)
    if (lostId === null) throw notFound('master key yet: the first `tallystick serve` makes one')
    const known = await loadMasterKeys(source, sayNothing)
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
