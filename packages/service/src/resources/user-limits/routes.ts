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
      description: 'One for every member, newest first, in the order of members. A member sees only its own.',
      title: 'UserLimitPage',
      filters: MemberFilterQuery,
      rows: ({ tenantId, filter }) => listMembers(db, tenantId, filter),
      position: (row) => positionOfMember(row),
    },
    read: {
      access: 'member',
      operationId: 'getUserLimit',
      summary: 'Read the limits of a user',
      description: 'A member reads only its own.',
    },
    update: {
      operationId: 'updateUserLimit',
      summary: 'Set the limits of a user',
      description: `Applies to all keys of the user, at the gateway and here, on every replica within a second. A suspended user is
refused everywhere. A new user id creates that member.`,
      errors: ['conflict'],
      body: UpdateUserLimit,
      run: ({ principal, params, body }) => updateUserLimit(db, principal, params.userId, body),
    },
  })
}
