import { type Json, objectsOf, pick, stringOf } from '../json.js'
import { nameOfId } from '../names.js'
import type { Kind } from './kind.js'
import { mcpServer } from './mcp-server.js'
import { prompt } from './prompt.js'
import { provider } from './provider.js'
import { keyReferences, scoped } from './scoped.js'
import { sink } from './sink.js'

export type { Kind } from './kind.js'

const isLive = ({ status }: Json): boolean => status !== 'revoked'

/** A tenant may have many keys, so they are looked up instead of listed. */
const key: Kind = {
  kind: 'Key',
  path: '/v1/keys',
  generated: 'key',
  ...keyReferences,
  withoutSecrets: (body) => ({
    ...body,
    ...(typeof body.expiresAt === 'string' && { expiresAt: new Date(body.expiresAt).toISOString() }),
  }),
  async observe(record, _, names) {
    const { teamId } = record
    return {
      ...pick(record, [
        'role',
        'userId',
        'rpmLimit',
        'tpmLimit',
        'allowedModels',
        'allowedTools',
        'expiresAt',
        'metadata',
      ]),
      teamId: typeof teamId === 'string' ? await nameOfId(names, 'Team', teamId) : null,
    }
  },
  async find(client, id) {
    const record = await client.find(`/v1/keys/${encodeURIComponent(id)}`)
    return record && isLive(record) ? record : undefined
  },
  findByName: async (client, name) =>
    (await client.list(`/v1/keys?status=active&q=${encodeURIComponent(name)}`)).filter(
      (record) => record.name === name,
    ),
  list: (client) => client.list('/v1/keys?status=active'),
}

/** In the order in which objects are created: each refers only to those before it. */
export const kinds: ReadonlyMap<string, Kind> = new Map(
  [
    provider,
    mcpServer,
    { kind: 'Team', path: '/v1/team/teams' },
    key,
    prompt,
    {
      kind: 'Route',
      path: '/v1/routes',
      observe: async (record: Json) => ({
        ...pick(record, ['strategy', 'retry', 'timeoutMs', 'stickyBy', 'cache', 'enabled']),
        targets: objectsOf(record.targets).map((target) => pick(target, ['model', 'weight', 'dialect'])),
      }),
    } satisfies Kind,
    {
      kind: 'Budget',
      path: '/v1/budgets',
      referencesOf: scoped.referencesOf,
      withIds: scoped.withIds,
      observe: async (record, _, names) => ({
        ...pick(record, ['amountUsd', 'period', 'thresholdPct', 'action']),
        scope: await scoped.nameScope(record.scope, names),
      }),
    } satisfies Kind,
    {
      kind: 'Policy',
      path: '/v1/policies',
      generated: 'secret',
      referencesOf: scoped.referencesOf,
      withIds: scoped.withIds,
      observe: async (record, _, names) => ({
        ...pick(record, ['description', 'kind', 'config', 'phase', 'action', 'enabled']),
        scope: await scoped.nameScope(record.scope, names),
      }),
    } satisfies Kind,
    { kind: 'WebhookEndpoint', path: '/v1/webhook-endpoints', generated: 'secret' },
    sink,
  ].map((each: Kind) => [each.kind, each]),
)

/** Objects of the configuration file of the service, which the API cannot change. */
export const isReadOnly = (record: Json): boolean => ['config', 'file'].includes(stringOf(record.source))
