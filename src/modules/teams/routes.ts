import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, ById, type Cursors, principalOf } from '../../http/index.js'
import { createTeam, deleteTeam, updateTeam } from './manage.js'
import { presentTeam } from './present.js'
import { CreateTeam, Team, UpdateTeam } from './schema.js'
import { listTeams } from './store.js'

export interface TeamRoutesOptions {
  db: Db
  cursors: Cursors
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['Teams']

export function registerTeamRoutes(app: App, { db, onChange }: TeamRoutesOptions): void {
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
      config: { access: 'manager', errors: ['conflict'] },
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
    async (request, reply) =>
      reply.code(201).send(presentTeam(await createTeam(db, principalOf(request), request.body))),
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
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deleteTeam',
        summary: 'Delete a team',
        description:
          'Members and keys stay, without a team. Budgets and policies of the team are deleted with it. Deleting again is fine.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await deleteTeam(db, principal, request.params.id)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
