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
  find(db: Db, key: CredentialKey): Promise<{ credential: StoredCredential; updatedAt: Date } | null>
  read(key: CredentialKey): Promise<StoredCredential | null>
  /**
   * Replaces a credential while no other replica can: `change` receives the current one and returns the new one, or
   * null to delete it. The transaction waits for `change`, so it must be bounded in time.
   */
  change(
    key: CredentialKey,
    change: (current: StoredCredential | null) => Promise<StoredCredential | null>,
  ): Promise<StoredCredential | null>
  /** Returns false when the server no longer exists. */
  keep(tx: Tx, key: CredentialKey, credential: StoredCredential): Promise<boolean>
}

export function createMcpCredentials({ db, secrets }: { db: Db; secrets: Secrets }): McpCredentials {
  async function open(key: CredentialKey, sealed: Buffer | undefined): Promise<StoredCredential | null> {
    if (sealed === undefined) return null
    const credential = await openCredential(secrets, key, sealed)
    return credential === undecryptable ? null : credential
  }

  async function keep(tx: Tx, key: CredentialKey, credential: StoredCredential): Promise<boolean> {
    const sealed = await sealCredential(secrets, key, credential)
    return await writeCredential(tx, key, { sealed, expiresAt: endOf(credential) })
  }

  return {
    keep,
    async find(within, key) {
      const row = await findCredential(within, key)
      const credential = await open(key, row?.sealed)
      return row === undefined || credential === null ? null : { credential, updatedAt: row.updated_at }
    },
    read: async (key) => await open(key, (await findCredential(db, key))?.sealed),
    change: async (key, change) =>
      await inTransaction(db, async (tx) => {
        const current = await open(key, (await lockCredential(tx, key))?.sealed)
        const next = await change(current)
        if (next === null) await deleteCredential(tx, key)
        else if (next !== current) await keep(tx, key, next)
        return next
      }),
  }
}
