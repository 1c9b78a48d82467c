import type { ResponseOf } from '../../api'

export type AuditEntry = ResponseOf<'/v1/audit-log'>['data'][number]

/** Display names of the kinds of subjects. */
export const subjectNames: Readonly<Record<string, string>> = {
  key: 'key',
  team: 'team',
  member: 'member',
  user_limit: 'limits of',
  budget: 'budget',
  budget_request: 'budget request',
  policy: 'policy',
  prompt: 'prompt',
  prompt_version: 'version of prompt',
  provider: 'provider',
  provider_credential: 'credential',
  route: 'route',
  model_price: 'price of',
  mcp_server: 'MCP server',
  mcp_tool: 'tool',
  mcp_credential: 'account at',
  managed_resource: 'object described by files',
  webhook_endpoint: 'webhook',
  webhook_delivery: 'webhook delivery',
  sink: 'sink',
  content_capture: 'content capture',
  content: 'content of a call',
  erasure: 'data of',
  pack: 'compliance pack',
  receipt: 'the cost of receipt',
  session: 'session',
  signing_key: 'signing key',
}

/** Actions in the past tense; an unknown action is shown as it is. */
const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  revoke: 'revoked',
  change_role: 'changed the role of',
  rotate_secret: 'rotated the secret of',
  test: 'tested',
  retry: 'sent again',
  approve: 'approved',
  block: 'blocked',
  connect: 'connected',
  disconnect: 'disconnected',
  refresh: 'refreshed',
  deny: 'denied',
  activate: 'activated',
  deactivate: 'deactivated',
  adjust: 'corrected',
  read: 'read',
  set_label: 'set a label of',
  remove_label: 'removed a label of',
  delete_label: 'removed a label of',
}

/** Actions that need a specific phrase. */
const phrases: Readonly<Record<string, string>> = {
  'member.create': 'added',
  'member.delete': 'removed',
  'user_limit.update': 'set the',
  'prompt_version.create': 'wrote a',
  'erasure.create': 'erased the',
  'budget_request.create': 'filed a',
  'provider_credential.create': 'added the',
  'provider_credential.delete': 'removed the',
  'model_price.set': 'set the',
  'model_price.delete': 'removed the',
  'content_capture.update': 'changed',
}

export function describeAction({ action }: AuditEntry): string {
  const verb = action.slice(action.indexOf('.') + 1)
  if (action === 'user_limit.update') return 'set the'
  return phrases[action] ?? verbs[verb] ?? verb.replaceAll('_', ' ')
}

export const kindOf = ({ subject }: AuditEntry) =>
  subjectNames[subject.type] ?? subject.type.replaceAll('_', ' ')

/** The name of the actor, if it has one. */
export function actorOf({ actor }: AuditEntry): string {
  if (actor.type === 'operator') return 'The operator'
  return actor.userName ?? actor.userId ?? actor.keyName ?? actor.id
}

/** The name of the changed record, if it has one. */
export function subjectOf({ subject, before, after }: AuditEntry): string {
  for (const record of [after, before]) {
    const name = record?.name ?? record?.framework
    if (typeof name === 'string' && name !== '') return name
  }
  return subject.id
}
