import type { Tx } from '../../db/index.js'
import { createValidatorCompiler } from '../../http/index.js'
import { createPolicy, createPolicyChecks, policySetHash } from '../../policies/index.js'
import { type Actor, operatorOf } from '../../resources/audit/index.js'
import { createBudget } from '../../resources/budgets/index.js'
import { createKey } from '../../resources/keys/index.js'
import { createMember, createTeam } from '../../resources/teams/index.js'
import { allowedTools } from '../company/tool-servers.js'
import type { DemoBudget } from '../traffic/budgets.js'
import type { Traffic } from '../traffic/traffic.js'
import type { DemoIds } from './receipts.js'

/** Creates the company in a tenant, as the API would: each row has an audit entry. */
export async function defineCompany(
  tx: Tx,
  tenantId: string,
  traffic: Traffic,
): Promise<Omit<DemoIds, 'packs'>> {
  const actor = operatorOf(tenantId)
  const teamIds = new Map<string, string>()
  for (const { name, budgetPoolUsd } of traffic.teams)
    teamIds.set(
      name,
      (await createTeam(tx, actor, { name, budgetPoolUsd, allowedTools: allowedTools[name] ?? null })).id,
    )
  const teamId = (name: string) => required(teamIds, name)

  for (const { userId, name, email, team } of traffic.people)
    await createMember(tx, actor, { userId, name, email, teamId: teamId(team) })

  const keyIds = new Map<string, string>()
  for (const { name, userId, team, rpmLimit, tpmLimit, allowedModels, metadata } of traffic.keys) {
    const models = allowedModels && [...allowedModels]
    const limits = { rpmLimit, tpmLimit, allowedModels: models, metadata: { ...metadata } }
    // A key of a person spends for the person's team, as it is then.
    const owner = userId === null ? { teamId: teamId(team) } : { userId }
    keyIds.set(name, (await createKey(tx, actor, { name, ...owner, ...limits })).row.id)
  }
  const keyId = (name: string) => required(keyIds, name)

  const budgetIds = new Map<string, string>()
  for (const { scope, ...budget } of traffic.budgets) {
    const row = await createBudget(tx, actor, { ...budget, scope: scopeOf(scope, { teamId, keyId }) })
    budgetIds.set(budget.name, row.id)
  }
  const budgetId = (name: string) => required(budgetIds, name)

  return { tenantId, teamId, keyId, budgetId, ...(await definePolicies(tx, actor, traffic, teamId)) }
}

async function definePolicies(
  tx: Tx,
  actor: Actor,
  { policies }: Traffic,
  teamId: (name: string) => string,
): Promise<Pick<DemoIds, 'policyReference' | 'policies'>> {
  const checks = createPolicyChecks({
    compile: createValidatorCompiler(),
    urlRules: { strict: true, allowedRanges: [] },
    requireUrl: () => Promise.reject(new Error('the demo has no policies with a service')),
  })
  const created = []
  for (const { name, description, kind, config, team, action } of policies) {
    const scope = team === null ? { type: 'tenant' as const } : { type: 'team' as const, id: teamId(team) }
    const policy = { name, description, kind, config: { ...config }, scope, action }
    created.push(await createPolicy({ db: tx, serviceSecrets: noSecrets }, actor, policy, checks))
  }
  const references = new Map(created.map(({ name, id, version }) => [name, `${id}@${version}`]))
  return { policyReference: (name) => required(references, name), policies: policySetHash(created) }
}

/** Only policies that ask a service have a secret, and the demo has none of those. */
const noSecrets = {
  create: () => Promise.reject(new Error('the demo has no policies with a secret')),
  statusOf: () => Promise.resolve(null),
}

function scopeOf(
  scope: DemoBudget['scope'],
  { teamId, keyId }: Pick<DemoIds, 'teamId' | 'keyId'>,
): { type: 'tenant' | 'team' | 'key' | 'tag'; id?: string } {
  switch (scope.type) {
    case 'tenant':
      return { type: 'tenant' }
    case 'team':
      return { type: 'team', id: teamId(scope.of) }
    case 'key':
      return { type: 'key', id: keyId(scope.of) }
    case 'tag':
      return { type: 'tag', id: scope.of }
  }
}

function required(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the demo has no ${name}`)
  return id
}
