import { Type } from 'typebox'
import {
  ById,
  defineResource,
  type ManagementApi,
  presentEach,
  principalOf,
  SearchText,
} from '../../http/index.js'
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
    present: presentEach(presentKey),
    find: ({ tenantId, params }) => findKey(db, tenantId, params.id),
    ownerOf: (row) => ({ userId: row.user_id, keyId: row.id }),
    onChange,
    list: {
      access: 'member',
      description:
        'Lists virtual keys, newest first. Managers and auditors see every key of the tenant. Members see only their own keys.',
      filters: {
        status: Type.Optional(Status),
        userId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 128, description: 'Return only keys of this user' }),
        ),
        teamId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description:
              'Return only keys that are assigned to this team. Keys that spend for the team because of their owner are not included',
          }),
        ),
        q: SearchText('their name, id, hint or owner'),
      },
      rows: ({ tenantId, filter }) => listKeys(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description:
        'Creates a virtual key. The response contains its value as `key`. The value is not shown again: only its SHA-256 is stored.',
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
      description: 'Returns a key without its value. Members can read only their own keys.',
    },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. Null removes a limit. A revoked key cannot be updated.',
      errors: ['not_found', 'conflict'],
      body: UpdateKey,
      run: ({ principal, params, body }) => updateKey(db, principal, params.id, body),
    },
    remove: {
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: `Revokes a key. Every replica refuses the key within a second of the response. Revoking a revoked key also succeeds.

To rotate a key, create a new one, switch clients to it, then revoke the old key with the new one.`,
      errors: ['not_found', 'conflict'],
      outcome: 'The key is revoked',
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
        description:
          'Sets the rate limits of a key. They apply to the next call, and on every replica within a second.',
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
