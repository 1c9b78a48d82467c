import type { Config } from '../../../config/index.js'
import { readMasterKeyStatus, replaceLostMasterKey, rotateMasterKey } from '../../../secrets/index.js'
import type { Storage } from '../../infrastructure/storage.js'

const sourceOf = ({ dataDir, masterKey }: Config) => ({ dataDir, configured: masterKey })

export async function printMasterKeys(config: Config, { db }: Storage): Promise<void> {
  const { currentId, ownIds, dataKeys } = await readMasterKeyStatus(db, sourceOf(config))
  const ids = new Set([...(currentId === null ? [] : [currentId]), ...ownIds, ...dataKeys.keys()])
  for (const id of ids) {
    const count = dataKeys.get(id) ?? 0
    const state = id === currentId ? 'current' : 'earlier'
    const availability = ownIds.includes(id) ? 'here' : 'missing here'
    console.log(`${id}\t${state}\t${availability}\t${count === 1 ? '1 data key' : `${count} data keys`}`)
  }
  if (ids.size === 0) console.error('There is no master key yet: the first `tallystick serve` creates one')
}

export async function rotateMasterKeyOf(config: Config, { db }: Storage): Promise<void> {
  const { oldId, newId, rewrapped } = await rotateMasterKey(db, sourceOf(config))
  console.log(
    `The master key is ${newId}; ${rewrapped === 1 ? '1 data key was' : `${rewrapped} data keys were`} encrypted again\n${
      config.masterKey === null
        ? `The old one, ${oldId}, is still in the file master-key: give that file to replicas with another data directory, then remove its last line`
        : `The old one, ${oldId}, can be taken out of TALLYSTICK_MASTER_KEY`
    }`,
  )
}

export async function replaceMasterKeyOf(config: Config, { db }: Storage): Promise<void> {
  const { lostId, newId } = await replaceLostMasterKey(db, sourceOf(config))
  console.log(
    `The master key is ${newId}\nSecrets that are encrypted under ${lostId} stay undecryptable until that key is found: create new secrets for those endpoints and policies (rotate-secret)`,
  )
}
