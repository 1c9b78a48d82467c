import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
import {
  type App,
  ById,
  type Cursors,
  isOwnedBy,
  ownerFilter,
  Page,
  PageQuery,
  principalOf,
  readPage,
  SearchText,
  strict,
} from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { createKey, revokeKey, updateKey } from './manage.js'
import { presentKey } from './present.js'
import { CreatedKey, CreateKey, Key, KeyLimits, Status, UpdateKey, UpdateLimits } from './schema.js'
import { findKey, listKeys } from './store.js'

export interface KeyRoutesOptions {
  db: Db
  cursors: Cursors
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['Keys']

export function registerKeyRoutes(app: App, { db, cursors, onChange }: KeyRoutesOptions): void {
  app.get(
    '/v1/keys',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listKeys',
        summary: 'List keys',
        description:
          'Newest first. Managers and auditors see every key of the tenant, a member only its own.',
        querystring: Type.Object(
          {
            ...PageQuery,
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
          strict,
        ),
        response: { 200: Page(Key, 'KeyPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const own = ownerFilter(principal)
      const { status = null, userId = null, teamId = null, q = null } = request.query
      const filter = { own, status, userId, teamId, q }
      return await readPage({
        query: request.query,
        scope: `keys ${principal.tenantId} ${JSON.stringify(filter)}`,
        cursors,
        fetch: (page) => listKeys(db, principal.tenantId, { ...filter, ...page }),
        position: (row) => row.id,
        present: presentKey,
      })
    },
  )

  app.post(
    '/v1/keys',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'createKey',
        summary: 'Create a key',
        description:
          'The response contains the value as `key`. It is not shown again; only its SHA-256 is stored.',
        body: CreateKey,
        response: { 201: CreatedKey },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const created = await answerOnce(db, request, async (db) => {
        const { row, value } = await createKey(db, principal, request.body)
        return { ...presentKey(row), key: value }
      })
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/keys/:id',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getKey',
        summary: 'Read a key',
        description: 'A member reads only its own.',
        params: ById,
        response: { 200: Key },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await findKey(db, principal.tenantId, request.params.id)
      const own = ownerFilter(principal)
      if (!row || !(own === null || isOwnedBy(own, { userId: row.user_id, keyId: row.id })))
        throw notFound('key')
      return presentKey(row)
    },
  )

  app.patch(
    '/v1/keys/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateKey',
        summary: 'Change a key',
        description:
          'Omitted fields stay as they are; null removes a limit. A revoked key cannot be changed.',
        params: ById,
        body: UpdateKey,
        response: { 200: Key },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateKey(db, principal, request.params.id, request.body)
      onChange(principal.tenantId)
      return presentKey(row)
    },
  )

  app.patch(
    '/v1/keys/:id/limits',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
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

  app.delete(
    '/v1/keys/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        description: `Every replica refuses the key within a second of the answer. Revoking again is fine.

To rotate: create a new key, switch clients to it, then revoke the old one with the new one.`,
        params: ById,
        response: { 204: Type.Null({ description: 'Revoked' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await revokeKey(db, principal, request.params.id)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
