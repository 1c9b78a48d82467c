import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
import {
  type App,
  type Cursors,
  isOwnedBy,
  ownerFilter,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
  UserId,
} from '../../http/index.js'
import { findMember, listMembers, MemberFilterQuery, type MemberRow } from '../teams/index.js'
import { updateUserLimit } from './manage.js'
import { presentUserLimits } from './present.js'
import { UpdateUserLimit, UserLimit } from './schema.js'

export interface UserLimitRoutesOptions {
  db: Db
  cursors: Cursors
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['User limits']
const ByUser = Type.Object({ userId: UserId })

export function registerUserLimitRoutes(app: App, { db, cursors, onChange }: UserLimitRoutesOptions): void {
  async function present(row: MemberRow): Promise<UserLimit> {
    const [limit] = await presentUserLimits(db, row.tenant_id, [row])
    if (!limit) throw notFound('user')
    return limit
  }

  app.get(
    '/v1/user-limits',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listUserLimits',
        summary: 'List user limits',
        description:
          'One for every member, newest first, in the order of members. A member sees only its own.',
        querystring: Type.Object({ ...PageQuery, ...MemberFilterQuery }, strict),
        response: { 200: Page(UserLimit, 'UserLimitPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const { teamId = null, role = null, status = null, q = null } = request.query
      const filter = { own: ownerFilter(principal), teamId, role, status, q }
      const page = await readPage({
        query: request.query,
        scope: `user-limits ${tenantId} ${JSON.stringify(filter)}`,
        cursors,
        fetch: (page) => listMembers(db, tenantId, { ...filter, ...page }),
        position: (row) => JSON.stringify([row.created_exactly, row.user_id]),
        present: (row) => row,
      })
      return { ...page, data: await presentUserLimits(db, tenantId, page.data) }
    },
  )

  app.get(
    '/v1/user-limits/:userId',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getUserLimit',
        summary: 'Read the limits of a user',
        description: 'A member reads only its own.',
        params: ByUser,
        response: { 200: UserLimit },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await findMember(db, principal.tenantId, request.params.userId)
      const own = ownerFilter(principal)
      if (!row || !(own === null || isOwnedBy(own, { userId: row.user_id, keyId: null })))
        throw notFound('user')
      return await present(row)
    },
  )

  app.patch(
    '/v1/user-limits/:userId',
    {
      config: { access: 'manager', errors: ['conflict'] },
      schema: {
        tags,
        operationId: 'updateUserLimit',
        summary: 'Set the limits of a user',
        description: `Applies to all keys of the user, at the gateway and here, on every replica within a second. A suspended user is
refused everywhere. A new user id creates that member.`,
        params: ByUser,
        body: UpdateUserLimit,
        response: { 200: UserLimit },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateUserLimit(db, principal, request.params.userId, request.body)
      onChange(principal.tenantId)
      return await present(row)
    },
  )
}
