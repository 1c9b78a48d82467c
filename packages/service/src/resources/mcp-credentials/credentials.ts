import { type Db, inTransaction, type Tx } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import {
  type CredentialKey,
  endOf,
  openCredential,
  type StoredCredential,
  sealCredential,
} from './credential.js'
import { deleteCredential, findCredential, lockCredential, writeCredential } from './store.js'

/**
 * The credentials that users stored, or consented to, for calling servers as themselves. Each is sealed for one
 * server and one owner.
 */
export interface McpCredentials {
  /** Returns null when there is none, or it can no longer be decrypted. */
  find(db: Db, place: CredentialKey): Promise<{ credential: StoredCredential; updatedAt: Date } | null>
  read(place: CredentialKey): Promise<StoredCredential | null>
  /**
   * Replaces a credential while no other replica can: `change` receives the current one and returns the new one, or
   * null to delete it. The transaction waits for `change`, so it must be bounded in time.
   */
  change(
    place: CredentialKey,
    change: (current: StoredCredential | null) => Promise<StoredCredential | null>,
  ): Promise<StoredCredential | null>
  /** Returns false when the server no longer exists. */
  keep(tx: Tx, place: CredentialKey, credential: StoredCredential): Promise<boolean>
}

export function createMcpCredentials({ db, secrets }: { db: Db; secrets: Secrets }): McpCredentials {
  async function open(place: CredentialKey, sealed: Buffer | undefined): Promise<StoredCredential | null> {
    if (sealed === undefined) return null
    const credential = await openCredential(secrets, place, sealed)
    return credential === undecryptable ? null : credential
  }

  async function keep(tx: Tx, place: CredentialKey, credential: StoredCredential): Promise<boolean> {
    const sealed = await sealCredential(secrets, place, credential)
    return await writeCredential(tx, place, { sealed, expiresAt: endOf(credential) })
  }

  return {
    keep,
    async find(within, place) {
      const row = await findCredential(within, place)
      const credential = await open(place, row?.sealed)
      return row === undefined || credential === null ? null : { credential, updatedAt: row.updated_at }
    },
    read: async (place) => await open(place, (await findCredential(db, place))?.sealed),
    change: async (place, change) =>
      await inTransaction(db, async (tx) => {
        const current = await open(place, (await lockCredential(tx, place))?.sealed)
        const next = await change(current)
        if (next === null) await deleteCredential(tx, place)
        else if (next !== current) await keep(tx, place, next)
        return next
      }),
  }
}
