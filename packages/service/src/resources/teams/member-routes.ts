import { Type } from 'typebox'
import { defineResource, type ManagementApi, presentEach, principalOf } from '../../http/index.js'
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
    present: presentEach(presentMember),
    find: ({ tenantId, params }) => findMember(db, tenantId, params.userId),
    ownerOf: (row) => ({ userId: row.user_id, keyId: null }),
    onChange,
    list: {
      description: 'Lists every user of the tenant, newest first.',
      filters: MemberFilterQuery,
      rows: ({ tenantId, filter }) => listMembers(db, tenantId, filter),
      position: (row) => positionOfMember(row),
    },
    create: {
      summary: 'Add a member',
      description:
        'Adds a member to the tenant. A member is also created when its user id is first used as the owner of a key or in user limits.',
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
      description: 'Returns a member. A caller with the role `member` can read only itself.',
    },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. A user belongs to at most one team. The user’s keys spend for this team unless they have their own team.',
      body: UpdateMember,
      run: ({ principal, params, body }) => updateMember(db, principal, params.userId, body),
    },
    remove: {
      summary: 'Remove a member',
      description: `Removes a member, together with the user’s limits. If the user has keys, budgets or policies, the request fails with 409 and
a list of them. With \`cascade\`, the user’s keys are revoked, and the user’s budgets and policies are deleted. The audit log
has an entry for each. Removing a removed member also succeeds.

To stop a user at once, suspend the user (\`PATCH /v1/user-limits/{userId}\`).`,
      errors: ['not_found', 'conflict'],
      outcome: 'The member is removed',
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
        summary: 'Update the role of a member',
        description:
          'Sets the role of a member. Demoting a user removes manager rights from the user’s keys at once. A change that would leave the tenant without a manager key fails with 409.',
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
