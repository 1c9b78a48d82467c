import { ById, defineResource, type ManagementApi, presentEach } from '../../http/index.js'
import type { Dependents } from '../scopes/index.js'
import { createTeam, deleteTeam, updateTeam } from './manage.js'
import { presentTeam } from './present.js'
import { CreateTeam, Team, UpdateTeam } from './schema.js'
import { findTeam, listTeams } from './store.js'

export interface TeamRoutesOptions {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
  /** Objects that may refer to a team or a user, besides members. */
  dependents: readonly Dependents[]
}

export function registerTeamRoutes(api: ManagementApi, { onChange, dependents }: TeamRoutesOptions): void {
  const { db } = api
  defineResource(api, {
    path: '/v1/team/teams',
    params: ById,
    tag: 'Teams',
    one: 'a team',
    many: 'teams',
    item: Team,
    present: presentEach(presentTeam),
    find: ({ tenantId, params }) => findTeam(db, tenantId, params.id),
    onChange,
    listAll: {
      access: 'member',
      description: 'Lists every team of the tenant, newest first.',
      rows: ({ tenantId, page }) => listTeams(db, tenantId, page),
      position: ({ id }) => id,
    },
    create: {
      description:
        'Creates a team. Its pool is the maximum that the keys of the team may spend together in a calendar month. A call that does not fit is refused with 402.',
      errors: ['conflict'],
      body: CreateTeam,
      answer: Team,
      run:
        ({ principal, body }) =>
        async (db) =>
          presentTeam(await createTeam(db, principal, body)),
    },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. A new pool applies from the next call.',
      errors: ['not_found', 'conflict'],
      body: UpdateTeam,
      run: ({ principal, params, body }) => updateTeam(db, principal, params.id, body),
    },
    remove: {
      description:
        'Deletes a team. If the team has keys, members, budgets or policies, the request fails with 409 and a list of them. With `cascade`, its budgets and policies are deleted too, and its keys and members stay without a team. The audit log has an entry for each. Deleting a deleted team also succeeds.',
      errors: ['not_found', 'conflict'],
      cascades: true,
      run: ({ principal, params, cascade }) => deleteTeam(db, principal, params.id, { cascade, dependents }),
    },
  })
}
