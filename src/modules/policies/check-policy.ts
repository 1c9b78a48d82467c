import type { FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import { ApiError, type ErrorDetail, invalidField, invalidRequest } from '../../errors.js'
import type { Outbound, UrlRules } from '../../outbound/index.js'
import { type KindName, kindNames, kinds } from './kinds/index.js'
import type { PolicyUse } from './kinds/kind.js'
import type { DraftTrial, PolicyDraft } from './schema.js'

export interface PolicyChecks {
  /** Refuses a config that does not have the shape of its kind, with the same errors as any other body; else fills in its defaults. */
  completeConfig(kind: KindName, config: Record<string, unknown>): Record<string, unknown>
  /** Refuses a phase or an action that the kind cannot have, and a config that is not valid with them. */
  requireValidUse(
    policy: { kind: KindName; config: Record<string, unknown> } & Pick<PolicyUse, 'phase' | 'action'>,
  ): void
  /** Refuses the service of an `http` policy if its name resolves to an address that the rules forbid. Waits for the network. */
  requireService(kind: KindName, config: Record<string, unknown>): Promise<void>
  /** The first two for a draft, with the paths that its faults have in the body of a trial. */
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
      // With the name that it has in the body, so that an error has the path that the caller wrote.
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
      const { phases, actions, findFaults } = kinds[kind]
      const faults: ErrorDetail[] = []
      if (!includes(phases, phase)) faults.push({ path: 'phase', message: onlyOneOf(phases, kind) })
      if (!includes(actions, action)) faults.push({ path: 'action', message: onlyOneOf(actions, kind) })
      faults.push(...findFaults(config, { phase, action, urlRules }))
      if (faults.length === 0) return
      throw refuse(faults)
    },
  }
  return {
    ...checks,
    async requireService(kind, config) {
      if (kind !== 'http') return
      const { url } = checks.completeConfig(kind, config)
      await requireUrl(String(url), 'config.url')
    },
    requireValidDraft({ id, kind, name = 'Draft', phase = 'input', action = 'block', ...draft }) {
      // Its service would be called with every letter that somebody types, and there is no secret yet to sign with.
      if (kind === 'http')
        throw invalidField('draft.kind', 'cannot be http: save the policy, then try it with evaluate')
      try {
        const config = checks.completeConfig(kind, draft.config ?? {})
        checks.requireValidUse({ kind, config, phase, action })
        return { kind, name, phase, action, config, ...(id !== undefined && { id }) }
      } catch (error) {
        const faults = error instanceof ApiError ? error.extras.details : undefined
        if (faults === undefined) throw error
        throw refuse(faults.map(({ path, message }) => ({ path: `draft.${path}`, message })))
      }
    },
  }
}

const refuse = (faults: ErrorDetail[]): ApiError =>
  invalidRequest(faults.map(({ path, message }) => `${path}: ${message}`).join('; '), faults)

const includes = (names: readonly string[], name: string) => names.includes(name)
const onlyOneOf = (names: readonly string[], kind: KindName) =>
  `can only be ${names.join(' or ')} for ${kind}`
