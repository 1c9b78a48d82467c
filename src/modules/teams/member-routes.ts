import { Type } from 'typebox'
import { notFound } from '../../errors.js'
import {
  type App,
  CascadeQuery,
  isOwnedBy,
  ownerFilter,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { createMember, deleteMember, updateMember, updateMemberRole } from './manage-members.js'
import { findMember, listMembers } from './member-store.js'
import { presentMember } from './present.js'
import type { TeamRoutesOptions } from './routes.js'
import { CreateMember, Member, MemberFilterQuery, UpdateMember, UpdateRole } from './schema.js'

const tags = ['Teams']
const ByUser = Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128 }) })

export function registerMemberRoutes(
  app: App,
  { db, cursors, onChange, dependents }: TeamRoutesOptions,
): void {
  app.get(
    '/v1/team/members',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List members',
        description: 'Every user of the tenant, newest first.',
        querystring: Type.Object({ ...PageQuery, ...MemberFilterQuery }, strict),
        response: { 200: Page(Member, 'MemberPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const { teamId = null, role = null, status = null, q = null } = request.query
      const filter = { own: null, teamId, role, status, q }
      return await readPage({
        query: request.query,
        scope: `members ${tenantId} ${JSON.stringify(filter)}`,
        cursors,
        fetch: (page) => listMembers(db, tenantId, { ...filter, ...page }),
        position: (row) => JSON.stringify([row.created_exactly, row.user_id]),
        present: (row) => presentMember(row),
      })
    },
  )

  app.post(
    '/v1/team/members',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'createMember',
        summary: 'Add a member',
        description:
          'A member is also created when a user id is used as the owner of a key or in user limits.',
        body: CreateMember,
        response: { 201: Member },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const created = await answerOnce(db, request, async (db) =>
        presentMember(await createMember(db, principal, request.body)),
      )
      onChange(principal.tenantId)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/team/members/:userId',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getMember',
        summary: 'Read a member',
        description: 'A member reads only itself.',
        params: ByUser,
        response: { 200: Member },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await findMember(db, principal.tenantId, request.params.userId)
      const own = ownerFilter(principal)
      if (!row || !(own === null || isOwnedBy(own, { userId: row.user_id, keyId: null })))
        throw notFound('member')
      return presentMember(row)
    },
  )

  app.patch(
    '/v1/team/members/:userId',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'updateMember',
        summary: 'Change a member',
        description:
          'A user is in one team at most; the user’s keys spend for it unless they have a team of their own.',
        params: ByUser,
        body: UpdateMember,
        response: { 200: Member },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateMember(db, principal, request.params.userId, request.body)
      onChange(principal.tenantId)
      return presentMember(row)
    },
  )

  app.patch(
    '/v1/team/members/:userId/role',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateMemberRole',
        summary: 'Change the role of a member',
        description:
          'Demoting a user takes manager rights from the user’s keys at once. A tenant keeps at least one manager key: else 409.',
        params: ByUser,
        body: UpdateRole,
        response: { 200: Member },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateMemberRole(db, principal, request.params.userId, request.body.role)
      onChange(principal.tenantId)
      return presentMember(row)
    },
  )

  app.delete(
    '/v1/team/members/:userId',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deleteMember',
        summary: 'Remove a member',
        description:
          'A user that has keys, budgets or policies is not removed: 409, which lists them. With `cascade` the user’s keys are revoked and the budgets and policies of the user are deleted; the audit log has an entry for each. Limits of the user end with the membership. To stop a user at once, suspend it (`PATCH /v1/user-limits/{userId}`). Removing again is fine.',
        params: ByUser,
        querystring: CascadeQuery,
        response: { 204: Type.Null({ description: 'Removed' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { cascade = false } = request.query
      await deleteMember(db, principal, request.params.userId, { cascade, dependents })
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
