import { Type } from 'typebox'
import { defineResource, type ManagementApi, UserId } from '../../http/index.js'
import {
  findMember,
  listMembers,
  MemberFilterQuery,
  type MemberRow,
  positionOfMember,
} from '../teams/index.js'
import { updateUserLimit } from './manage.js'
import { presentUserLimits } from './present.js'
import { UpdateUserLimit, UserLimit } from './schema.js'

export interface UserLimitRoutesOptions {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

export function registerUserLimitRoutes(api: ManagementApi, { onChange }: UserLimitRoutesOptions): void {
  const { db } = api
  defineResource(api, {
    path: '/v1/user-limits',
    params: Type.Object({ userId: UserId }),
    tag: 'User limits',
    one: 'a user',
    many: 'user limits',
    item: UserLimit,
    present: (rows: readonly MemberRow[], { tenantId }) => presentUserLimits(db, tenantId, rows),
    find: ({ tenantId, params }) => findMember(db, tenantId, params.userId),
    ownerOf: (row) => ({ userId: row.user_id, keyId: null }),
    onChange,
    list: {
      access: 'member',
      description:
        'Lists the limits of every member, in the order of the member list: newest first. Members see only their own limits.',
      title: 'UserLimitPage',
      filters: MemberFilterQuery,
      rows: ({ tenantId, filter }) => listMembers(db, tenantId, filter),
      position: (row) => positionOfMember(row),
    },
    read: {
      access: 'member',
      operationId: 'getUserLimit',
      summary: 'Get the limits of a user',
      description: 'Returns the limits of a user. Members can read only their own limits.',
    },
    update: {
      operationId: 'updateUserLimit',
      summary: 'Set the limits of a user',
      description: `Sets the limits of a user across all keys of the user, in the gateway and in this API. They apply on every replica within a
second. A suspended user is refused everywhere. An unknown user id creates that member.`,
      errors: ['conflict'],
      body: UpdateUserLimit,
      run: ({ principal, params, body }) => updateUserLimit(db, principal, params.userId, body),
    },
  })
}
