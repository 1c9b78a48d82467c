import { Type } from 'typebox'
import {
  ById,
  defineResource,
  isOwnedBy,
  type ManagementApi,
  ownerFilter,
  type Principal,
  presentEach,
  principalOf,
} from '../http/index.js'
import type { Outbound, UrlRules } from '../outbound/index.js'
import { answerOnce } from '../resources/idempotency/index.js'
import { type Entitlements, findEntitlements } from '../resources/keys/index.js'
import { invalidField, notFound } from '../shared/errors.js'
import { createPolicyChecks } from './check-policy.js'
import { changePolicy, createPolicy, deletePolicy, type PolicyStore, rotatePolicySecret } from './manage.js'
import { presentWithStatus } from './present.js'
import { CreatedPolicy, CreatePolicy, KindFilter, Policy, PolicyWithSecret, UpdatePolicy } from './schema.js'
import { findPolicy, listPolicies, type PolicyRow } from './store.js'
import { DraftTrial, type PolicyDraft, PolicyTrial, PolicyTrialResult } from './trial-schema.js'

export interface PolicyRoutes extends Omit<PolicyStore, 'db'> {
  /** For the URLs of `http` policies. */
  urlRules: UrlRules
  outbound: Pick<Outbound, 'requireUrl'>
  /** Called after a change is committed, so that this replica applies the change before it responds. */
  onChange(tenantId: string): void
  /** Returns what the gateway would decide on a call. Runs the same code as the gateway. */
  evaluate(caller: Entitlements, trial: PolicyTrial, draft?: PolicyDraft): Promise<PolicyTrialResult>
}

const tag = 'Policies'

const ownerOf = ({ user, key }: Entitlements) => ({ userId: user?.id ?? null, keyId: key.id })

export function registerPolicyRoutes(api: ManagementApi, options: PolicyRoutes): void {
  const { app, db } = api
  const { urlRules, outbound, onChange, serviceSecrets, evaluate } = options
  const store = { db, serviceSecrets }
  const { validatorCompiler: compile } = app
  const checks = createPolicyChecks({ compile, urlRules, requireUrl: outbound.requireUrl })

  /** Returns the key whose call is tried. Throws if the caller may not see that key. */
  async function findCaller(
    principal: Principal,
    { keyId = principal.keyId }: { keyId?: string | null },
  ): Promise<Entitlements> {
    if (keyId === null) throw invalidField('keyId', 'is required: nobody called with a key')
    const subject = await findEntitlements(db, principal.tenantId, keyId)
    const own = ownerFilter(principal)
    const visible = subject && (own === null || isOwnedBy(own, ownerOf(subject)))
    if (!visible) throw notFound('key')
    return subject
  }

  defineResource(api, {
    path: '/v1/policies',
    params: ById,
    tag,
    one: 'a policy',
    many: 'policies',
    item: Policy,
    present: presentEach((row: PolicyRow) => presentWithStatus(serviceSecrets, row)),
    find: ({ tenantId, params }) => findPolicy(db, tenantId, params.id),
    onChange,
    list: {
      description: 'Lists policies, newest first, including disabled ones.',
      filters: { kind: Type.Optional(KindFilter) },
      rows: ({ tenantId, filter }) => listPolicies(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description: `Creates a policy. The contents of \`config\` depend on \`kind\`. The configuration is checked when it is saved: patterns are
compiled, and expressions are checked for syntax, unknown names and types. An error includes the position of the mistake.

Model lists, limits and expressions only check requests, so their phase is \`input\`. All other kinds support every phase. The
kinds that find text support \`redact\`: keywords, pattern, pii and secrets. The defaults are the phase \`input\`, the action
\`block\`, and the whole tenant as the scope.`,
      errors: ['not_found', 'conflict', 'invalid_webhook_url'],
      body: CreatePolicy,
      answer: CreatedPolicy,
      async run({ principal, body }) {
        await checks.requireAllowedService(body.kind, body.config ?? {})
        return (db) => createPolicy({ db, serviceSecrets }, principal, body, checks)
      },
    },
    read: {},
    update: {
      description: `Updates the fields that are sent and leaves all others as they are. \`config\` and \`scope\` are replaced as a whole. The kind
cannot be changed: create another policy instead. Every change increases \`version\` by one, including a change of the name. A
request that changes nothing leaves the version as it is.`,
      errors: ['not_found', 'conflict', 'invalid_webhook_url'],
      body: UpdatePolicy,
      runAndPresent: ({ principal, params, body }) => changePolicy(store, principal, params.id, body, checks),
    },
    remove: {
      description: 'Deletes a policy. Its name can be used again. Deleting a deleted policy also succeeds.',
      run: ({ principal, params }) => deletePolicy(store, principal, params.id),
    },
  })

  app.post(
    '/v1/policies/evaluate',
    {
      config: { access: 'member', onlyReads: true, errors: ['not_found', 'model_not_found'] },
      schema: {
        tags: [tag],
        operationId: 'evaluatePolicies',
        summary: 'Try policies on a call',
        description: `Returns what the policies would decide on a call with these messages, for a key and a model. Nothing is sent to a provider,
nothing is recorded, and rate limits and budgets do not apply. An \`http\` policy does call its guardrail service, with
\`dryRun: true\`. Members can try only their own keys.`,
        body: PolicyTrial,
        response: { 200: PolicyTrialResult },
      },
    },
    async (request) => {
      const subject = await findCaller(principalOf(request), request.body)
      return await evaluate(subject, request.body)
    },
  )

  app.post(
    '/v1/policies/evaluate-draft',
    {
      config: { access: 'reader', onlyReads: true, errors: ['not_found', 'model_not_found'] },
      schema: {
        tags: [tag],
        operationId: 'evaluateDraftPolicy',
        summary: 'Try a draft of a policy',
        description: `Returns what the policies would decide on a call if a draft were in force: in addition to the others, in place of the policy
whose \`id\` it has, or \`alone\`. The draft is validated like a policy that is saved, and is named \`draft\` in checks and
findings. Nothing is saved, sent to a provider or recorded. The kind \`http\` is not supported, because its guardrail service
is called only after the policy is saved.`,
        body: DraftTrial,
        response: { 200: PolicyTrialResult },
      },
    },
    async (request) => {
      const { draft, alone = false, ...trial } = request.body
      const subject = await findCaller(principalOf(request), trial)
      const policy = checks.requireValidDraft(draft)
      if (draft.id !== undefined && !(await findPolicy(db, subject.tenantId, draft.id)))
        throw notFound('policy')
      return await evaluate(subject, trial, { policy, alone })
    },
  )

  app.post(
    '/v1/policies/:id/rotate-secret',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'rotatePolicySecret',
        summary: 'Rotate the secret of an http policy',
        description:
          'Creates a new secret for an `http` policy and returns it as `secret`. It signs all further requests, and the old secret signs none. This operation takes no body.',
        params: ById,
        response: { 200: PolicyWithSecret },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const rotated = await answerOnce(db, request, (db) =>
        rotatePolicySecret({ db, serviceSecrets }, principal, request.params.id),
      )
      onChange(principal.tenantId)
      return rotated
    },
  )
}
