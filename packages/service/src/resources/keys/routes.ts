import { Type } from 'typebox'
import { ById, defineResource, each, type ManagementApi, principalOf, SearchText } from '../../http/index.js'
import { createKey, revokeKey, updateKey } from './manage.js'
import { presentKey } from './present.js'
import { CreatedKey, CreateKey, Key, KeyLimits, Status, UpdateKey, UpdateLimits } from './schema.js'
import { findKey, listKeys } from './store.js'

export interface KeyRoutesOptions {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

const tag = 'Keys'

export function registerKeyRoutes(api: ManagementApi, { onChange }: KeyRoutesOptions): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/keys',
    params: ById,
    tag,
    one: 'a key',
    many: 'keys',
    item: Key,
    present: each(presentKey),
    find: ({ tenantId, params }) => findKey(db, tenantId, params.id),
    ownerOf: (row) => ({ userId: row.user_id, keyId: row.id }),
    onChange,
    list: {
      access: 'member',
      description: 'Newest first. Managers and auditors see every key of the tenant, a member only its own.',
      filters: {
        status: Type.Optional(Status),
        userId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 128, description: 'Only the keys of this user' }),
        ),
        teamId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'Only keys that name this team, not those that spend for it by their owner',
          }),
        ),
        q: SearchText('their name, id, hint or owner'),
      },
      rows: ({ tenantId, filter }) => listKeys(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description:
        'The response contains the value as `key`. It is not shown again; only its SHA-256 is stored.',
      errors: ['not_found'],
      body: CreateKey,
      answer: CreatedKey,
      run:
        ({ principal, body }) =>
        async (db) => {
          const { row, value } = await createKey(db, principal, body)
          return { ...presentKey(row), key: value }
        },
    },
    read: {
      access: 'member',
      description: 'A member reads only its own.',
    },
    update: {
      description: 'Omitted fields stay as they are; null removes a limit. A revoked key cannot be changed.',
      errors: ['not_found', 'conflict'],
      body: UpdateKey,
      run: ({ principal, params, body }) => updateKey(db, principal, params.id, body),
    },
    remove: {
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: `Every replica refuses the key within a second of the answer. Revoking again is fine.

To rotate: create a new key, switch clients to it, then revoke the old one with the new one.`,
      errors: ['not_found', 'conflict'],
      outcome: 'Revoked',
      run: ({ principal, params }) => revokeKey(db, principal, params.id),
    },
  })

  app.patch(
    '/v1/keys/:id/limits',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'updateKeyLimits',
        summary: 'Set the rate limits of a key',
        description: 'Counts against the next call, on every replica within a second.',
        params: ById,
        body: UpdateLimits,
        response: { 200: KeyLimits },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateKey(db, principal, request.params.id, request.body)
      onChange(principal.tenantId)
      return { id: row.id, rpmLimit: row.rpm_limit, tpmLimit: row.tpm_limit }
    },
  )
}
