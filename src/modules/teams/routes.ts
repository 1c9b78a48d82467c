import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, ById, CascadeQuery, type Cursors, principalOf } from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import type { Dependents } from '../scopes/index.js'
import { createTeam, deleteTeam, updateTeam } from './manage.js'
import { presentTeam } from './present.js'
import { CreateTeam, Team, UpdateTeam } from './schema.js'
import { listTeams } from './store.js'

export interface TeamRoutesOptions {
  db: Db
  cursors: Cursors
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
  /** What may refer to a team or a user, besides members. */
  dependents: readonly Dependents[]
}

const tags = ['Teams']

export function registerTeamRoutes(app: App, { db, onChange, dependents }: TeamRoutesOptions): void {
  app.get(
    '/v1/team/teams',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listTeams',
        summary: 'List teams',
        description: 'All teams of the tenant, newest first.',
        response: { 200: Type.Array(Team) },
      },
    },
    async (request) => (await listTeams(db, principalOf(request).tenantId)).map(presentTeam),
  )

  app.post(
    '/v1/team/teams',
    {
      config: { access: 'manager', idempotent: true, errors: ['conflict'] },
      schema: {
        tags,
        operationId: 'createTeam',
        summary: 'Create a team',
        description:
          'The pool is what the keys of the team may spend together in a calendar month; a call that does not fit is refused with 402.',
        body: CreateTeam,
        response: { 201: Team },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const created = await answerOnce(db, request, async (db) =>
        presentTeam(await createTeam(db, principal, request.body)),
      )
      return reply.code(201).send(created)
    },
  )

  app.patch(
    '/v1/team/teams/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateTeam',
        summary: 'Change a team',
        description: 'A new pool applies from the next call.',
        params: ById,
        body: UpdateTeam,
        response: { 200: Team },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const row = await updateTeam(db, principal, request.params.id, request.body)
      onChange(principal.tenantId)
      return presentTeam(row)
    },
  )

  app.delete(
    '/v1/team/teams/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deleteTeam',
        summary: 'Delete a team',
        description:
          'A team that has keys, members, budgets or policies is not deleted: 409, which lists them. With `cascade` its budgets and policies are deleted with it, and its keys and members stay, without a team; the audit log has an entry for each. Deleting again is fine.',
        params: ById,
        querystring: CascadeQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { cascade = false } = request.query
      await deleteTeam(db, principal, request.params.id, { cascade, dependents })
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
