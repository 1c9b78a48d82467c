import type { FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import type { Outbound, UrlRules } from '../outbound/index.js'
import { ApiError, type ErrorDetail, invalidField, invalidRequest } from '../shared/errors.js'
import { type KindName, kindNames, kinds } from './kinds/index.js'
import type { PolicyUse } from './kinds/kind.js'
import type { DraftTrial, PolicyDraft } from './trial-schema.js'

export interface PolicyChecks {
  /** Fills in the defaults of a config. Throws the same errors as any other body if the config does not match the schema of its kind. */
  completeConfig(kind: KindName, config: Record<string, unknown>): Record<string, unknown>
  /** Throws if the kind does not support the phase or the action, or if the config is not valid with them. */
  requireValidUse(
    policy: { kind: KindName; config: Record<string, unknown> } & Pick<PolicyUse, 'phase' | 'action'>,
  ): void
  /** Throws if the host of an `http` policy resolves to an address that the rules forbid. Waits for the network. */
  requireAllowedService(kind: KindName, config: Record<string, unknown>): Promise<void>
  /** Checks a draft like a policy that is saved. The paths of its errors are those in the body of a trial. */
  requireValidDraft(draft: DraftTrial['draft']): PolicyDraft['policy']
}

export function createPolicyChecks(options: {
  compile: FastifySchemaCompiler<object> | undefined
  urlRules: UrlRules
  requireUrl: Outbound['requireUrl']
}): PolicyChecks {
  const { compile, urlRules, requireUrl } = options
  if (compile === undefined) throw new Error('policies need a server that has a validator')
  const validators = new Map(
    kindNames.map((name) => {
      // The schema is nested under `config`, as in the body, so that an error has the path that the caller wrote.
      const schema = Type.Object({ config: kinds[name].schema })
      return [name, compile({ schema, method: 'POST', url: '/v1/policies', httpPart: 'body' })]
    }),
  )

  const checks: Pick<PolicyChecks, 'completeConfig' | 'requireValidUse'> = {
    completeConfig(kind, config) {
      const verdict = validators.get(kind)?.({ config })
      if (verdict === true) return config
      const isError = typeof verdict === 'object' && 'error' in verdict && verdict.error instanceof Error
      throw isError ? verdict.error : invalidField('config', 'is not valid')
    },
    requireValidUse({ kind, config, phase, action }) {
      const { phases, actions, findErrors } = kinds[kind]
      const errors: ErrorDetail[] = []
      if (!includes(phases, phase)) errors.push({ path: 'phase', message: onlyOneOf(phases, kind) })
      if (!includes(actions, action)) errors.push({ path: 'action', message: onlyOneOf(actions, kind) })
      errors.push(...findErrors(config, { phase, action, urlRules }))
      if (errors.length === 0) return
      throw toApiError(errors)
    },
  }
  return {
    ...checks,
    async requireAllowedService(kind, config) {
      if (kind !== 'http') return
      const { url } = checks.completeConfig(kind, config)
      await requireUrl(String(url), 'config.url')
    },
    requireValidDraft({ id, kind, name = 'Draft', phase = 'input', action = 'block', ...draft }) {
      // The console evaluates a draft on every keystroke, and a draft has no secret yet to sign requests with.
      if (kind === 'http')
        throw invalidField('draft.kind', 'cannot be http: save the policy, then try it with evaluate')
      try {
        const config = checks.completeConfig(kind, draft.config ?? {})
        checks.requireValidUse({ kind, config, phase, action })
        return { kind, name, phase, action, config, ...(id !== undefined && { id }) }
      } catch (error) {
        const errors = error instanceof ApiError ? error.extras.details : undefined
        if (errors === undefined) throw error
        throw toApiError(errors.map(({ path, message }) => ({ path: `draft.${path}`, message })))
      }
    },
  }
}

const toApiError = (errors: ErrorDetail[]): ApiError =>
  invalidRequest(errors.map(({ path, message }) => `${path}: ${message}`).join('; '), errors)

const includes = (names: readonly string[], name: string) => names.includes(name)
const onlyOneOf = (names: readonly string[], kind: KindName) =>
  `can only be ${names.join(' or ')} for ${kind}`
