import { Type } from 'typebox'
import { defineResource, each, type ManagementApi, principalOf } from '../../http/index.js'
import { createMember, deleteMember, updateMember, updateMemberRole } from './manage-members.js'
import { findMember, listMembers, positionOfMember } from './member-store.js'
import { presentMember } from './present.js'
import type { TeamRoutesOptions } from './routes.js'
import { CreateMember, Member, MemberFilterQuery, UpdateMember, UpdateRole } from './schema.js'

const tag = 'Teams'
const ByUser = Type.Object({ userId: Type.String({ minLength: 1, maxLength: 128 }) })

export function registerMemberRoutes(api: ManagementApi, { onChange, dependents }: TeamRoutesOptions): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/team/members',
    params: ByUser,
    tag,
    one: 'a member',
    many: 'members',
    item: Member,
    present: each(presentMember),
    find: ({ tenantId, params }) => findMember(db, tenantId, params.userId),
    ownerOf: (row) => ({ userId: row.user_id, keyId: null }),
    onChange,
    list: {
      description: 'Every user of the tenant, newest first.',
      filters: MemberFilterQuery,
      rows: ({ tenantId, filter }) => listMembers(db, tenantId, filter),
      position: (row) => positionOfMember(row),
    },
    create: {
      summary: 'Add a member',
      description: 'A member is also created when a user id is used as the owner of a key or in user limits.',
      errors: ['not_found', 'conflict'],
      body: CreateMember,
      answer: Member,
      run:
        ({ principal, body }) =>
        async (db) =>
          presentMember(await createMember(db, principal, body)),
    },
    read: {
      access: 'member',
      description: 'A member reads only itself.',
    },
    update: {
      description:
        'A user is in one team at most; the user’s keys spend for it unless they have a team of their own.',
      body: UpdateMember,
      run: ({ principal, params, body }) => updateMember(db, principal, params.userId, body),
    },
    remove: {
      summary: 'Remove a member',
      description:
        'A user that has keys, budgets or policies is not removed: 409, which lists them. With `cascade` the user’s keys are revoked and the budgets and policies of the user are deleted; the audit log has an entry for each. Limits of the user end with the membership. To stop a user at once, suspend it (`PATCH /v1/user-limits/{userId}`). Removing again is fine.',
      errors: ['not_found', 'conflict'],
      outcome: 'Removed',
      cascades: true,
      run: ({ principal, params, cascade }) =>
        deleteMember(db, principal, params.userId, { cascade, dependents }),
    },
  })

  app.patch(
    '/v1/team/members/:userId/role',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
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
}
