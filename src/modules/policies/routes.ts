import { Type } from 'typebox'
import { invalidField, notFound } from '../../errors.js'
import {
  type App,
  ById,
  type Cursors,
  isOwnedBy,
  ownerFilter,
  Page,
  PageQuery,
  type Principal,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import type { Outbound, UrlRules } from '../../outbound/index.js'
import { answerOnce } from '../idempotency/index.js'
import { type Entitlements, findEntitlements } from '../keys/index.js'
import { createPolicyChecks } from './check-policy.js'
import { changePolicy, createPolicy, deletePolicy, type PolicyStore, rotatePolicySecret } from './manage.js'
import { presentWithStatus } from './present.js'
import {
  CreatedPolicy,
  CreatePolicy,
  DraftTrial,
  KindFilter,
  Policy,
  type PolicyDraft,
  PolicyTrial,
  PolicyTrialResult,
  PolicyWithSecret,
  UpdatePolicy,
} from './schema.js'
import { findPolicy, listPolicies } from './store.js'

export interface PolicyRoutes extends PolicyStore {
  cursors: Cursors
  /** For the URLs of `http` policies. */
  urlRules: UrlRules
  outbound: Pick<Outbound, 'requireUrl'>
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
  /** What the gateway would decide on a call, by the gateway's own code. */
  evaluate(caller: Entitlements, trial: PolicyTrial, draft?: PolicyDraft): Promise<PolicyTrialResult>
}

const tags = ['Policies']

const ownerOf = ({ user, key }: Entitlements) => ({ userId: user?.id ?? null, keyId: key.id })

export function registerPolicyRoutes(app: App, options: PolicyRoutes): void {
  const { db, cursors, urlRules, outbound, onChange, serviceSecrets, evaluate } = options
  const { validatorCompiler: compile } = app
  const checks = createPolicyChecks({ compile, urlRules, requireUrl: outbound.requireUrl })

  /** Whose call a trial would be. */
  async function findSubject(
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

  app.get(
    '/v1/policies',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listPolicies',
        summary: 'List policies',
        description: 'Newest first, also those that are disabled.',
        querystring: Type.Object({ ...PageQuery, kind: Type.Optional(KindFilter) }, strict),
        response: { 200: Page(Policy, 'PolicyPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const kind = request.query.kind ?? null
      return await readPage({
        query: request.query,
        scope: `policies ${tenantId} ${kind}`,
        cursors,
        fetch: (page) => listPolicies(db, tenantId, { kind, ...page }),
        position: (row) => row.id,
        present: (row) => presentWithStatus(serviceSecrets, row),
      })
    },
  )

  app.post(
    '/v1/policies',
    {
      config: {
        access: 'manager',
        idempotent: true,
        errors: ['not_found', 'conflict', 'invalid_webhook_url'],
      },
      schema: {
        tags,
        operationId: 'createPolicy',
        summary: 'Create a policy',
        description: `What \`config\` contains depends on \`kind\`. Everything is checked now, not when a call comes: a pattern
is compiled, an expression is checked for syntax, unknown names and types, and an error has the position of the fault.

Model lists, limits and expressions judge the request alone: their phase is \`input\`. The other kinds take any phase.
\`redact\` is for kinds that find text: keywords, pattern, pii, secrets. If omitted, the phase is \`input\`, the action
\`block\`, and the scope the whole tenant.`,
        body: CreatePolicy,
        response: { 201: CreatedPolicy },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { kind, config = {} } = request.body
      const created = await answerOnce(
        db,
        request,
        (db) => createPolicy({ db, serviceSecrets }, principal, request.body, checks),
        () => checks.requireService(kind, config),
      )
      onChange(principal.tenantId)
      return reply.code(201).send(created)
    },
  )

  app.post(
    '/v1/policies/evaluate',
    {
      config: { access: 'member', onlyReads: true, errors: ['not_found', 'model_not_found'] },
      schema: {
        tags,
        operationId: 'evaluatePolicies',
        summary: 'Try policies on a call',
        description: `What the policies would decide on a call with these messages, for a key and a model. Nothing is sent to a provider
and nothing is recorded; rate limits and budgets do not apply. An \`http\` policy does ask its service, with
\`dryRun: true\`. A member tries its own keys only.`,
        body: PolicyTrial,
        response: { 200: PolicyTrialResult },
      },
    },
    async (request) => {
      const subject = await findSubject(principalOf(request), request.body)
      return await evaluate(subject, request.body)
    },
  )

  app.post(
    '/v1/policies/evaluate-draft',
    {
      config: { access: 'reader', onlyReads: true, errors: ['not_found', 'model_not_found'] },
      schema: {
        tags,
        operationId: 'evaluateDraftPolicy',
        summary: 'Try a policy before it is saved',
        description: `What the policies would decide on a call if a draft were in force: beside the others, in the place of the policy whose
\`id\` it has, or \`alone\`. The draft is checked like a policy that is saved, and is called \`draft\` in checks and findings.
Nothing is saved, sent to a provider or recorded. Not for the kind \`http\`, whose service is asked once it is saved.`,
        body: DraftTrial,
        response: { 200: PolicyTrialResult },
      },
    },
    async (request) => {
      const { draft, alone = false, ...trial } = request.body
      const subject = await findSubject(principalOf(request), trial)
      const policy = checks.requireValidDraft(draft)
      if (draft.id !== undefined && !(await findPolicy(db, subject.tenantId, draft.id)))
        throw notFound('policy')
      return await evaluate(subject, trial, { policy, alone })
    },
  )

  app.get(
    '/v1/policies/:id',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getPolicy',
        summary: 'Read a policy',
        params: ById,
        response: { 200: Policy },
      },
    },
    async (request) => {
      const row = await findPolicy(db, principalOf(request).tenantId, request.params.id)
      if (!row) throw notFound('policy')
      return await presentWithStatus(serviceSecrets, row)
    },
  )

  app.patch(
    '/v1/policies/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict', 'invalid_webhook_url'] },
      schema: {
        tags,
        operationId: 'updatePolicy',
        summary: 'Change a policy',
        description: `Omitted fields stay as they are; \`config\` and \`scope\` are replaced as a whole. The kind
cannot be changed: make another policy. Every change increases \`version\` by one, also one of the name alone; a request
that changes nothing does not.`,
        params: ById,
        body: UpdatePolicy,
        response: { 200: Policy },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const changed = await changePolicy(options, principal, request.params.id, request.body, checks)
      onChange(principal.tenantId)
      return changed
    },
  )

  app.post(
    '/v1/policies/:id/rotate-secret',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'rotatePolicySecret',
        summary: 'Give an http policy a new secret',
        description:
          'The response contains the new `secret`, which signs from now on; the old one does not sign any more. Takes no body.',
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

  app.delete(
    '/v1/policies/:id',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deletePolicy',
        summary: 'Delete a policy',
        description: 'Its name is free again. Deleting again is fine.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await deletePolicy(options, principal, request.params.id)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
