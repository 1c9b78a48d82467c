import { type Db, inTransaction, type Tx } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import {
  type CredentialPlace,
  endOf,
  openCredential,
  type StoredCredential,
  sealCredential,
} from './credential.js'
import { deleteCredential, findCredential, lockCredential, writeCredential } from './store.js'

/** What users stored, or consented to, in order to call servers as themselves. Sealed, each for one server and one subject. */
export interface McpCredentials {
  /** Null for none, and for one that cannot be opened any more. */
  find(db: Db, place: CredentialPlace): Promise<{ credential: StoredCredential; updatedAt: Date } | null>
  read(place: CredentialPlace): Promise<StoredCredential | null>
  /**
   * Replaces a credential while no other replica can: `change` is given what is there now, and returns what it becomes; null deletes it.
   * The database waits for `change`, so that must be bounded in time.
   */
  change(
    place: CredentialPlace,
    change: (current: StoredCredential | null) => Promise<StoredCredential | null>,
  ): Promise<StoredCredential | null>
  /** False when the server is gone. */
  keep(tx: Tx, place: CredentialPlace, credential: StoredCredential): Promise<boolean>
}

export function createMcpCredentials({ db, secrets }: { db: Db; secrets: Secrets }): McpCredentials {
  async function open(place: CredentialPlace, sealed: Buffer | undefined): Promise<StoredCredential | null> {
    if (sealed === undefined) return null
    const credential = await openCredential(secrets, place, sealed)
    return credential === undecryptable ? null : credential
  }

  async function keep(tx: Tx, place: CredentialPlace, credential: StoredCredential): Promise<boolean> {
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
