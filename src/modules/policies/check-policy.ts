import type { FastifySchemaCompiler } from 'fastify'
import { Type } from 'typebox'
import { type ErrorDetail, invalidField, invalidRequest } from '../../errors.js'
import type { UrlRules } from '../../outbound/index.js'
import { type KindName, kindNames, kinds } from './kinds/index.js'
import type { PolicyUse } from './kinds/kind.js'

export interface PolicyChecks {
  /** Refuses a config that is not of its kind's shape, in the words of every other body; else fills in its defaults. */
  completeConfig(kind: KindName, config: Record<string, unknown>): Record<string, unknown>
  /** Refuses a phase or an action that the kind cannot have, and a config that makes no sense with them. */
  requireSense(
    policy: { kind: KindName; config: Record<string, unknown> } & Pick<PolicyUse, 'phase' | 'action'>,
  ): void
}

export function createPolicyChecks(options: {
  compile: FastifySchemaCompiler<object> | undefined
  urlRules: UrlRules
}): PolicyChecks {
  const { compile, urlRules } = options
  if (compile === undefined) throw new Error('policies need a server that has a validator')
  const validators = new Map(
    kindNames.map((name) => {
      // Under the name that it has in the body, so that a fault is found where the caller wrote it.
      const schema = Type.Object({ config: kinds[name].schema })
      return [name, compile({ schema, method: 'POST', url: '/v1/policies', httpPart: 'body' })]
    }),
  )

  return {
    completeConfig(kind, config) {
      const verdict = validators.get(kind)?.({ config })
      if (verdict === true) return config
      const known = typeof verdict === 'object' && 'error' in verdict && verdict.error instanceof Error
      throw known ? verdict.error : invalidField('config', 'is not valid')
    },
    requireSense({ kind, config, phase, action }) {
      const { phases, actions, faultsIn } = kinds[kind]
      const faults: ErrorDetail[] = []
      if (!includes(phases, phase)) faults.push({ path: 'phase', message: onlyOneOf(phases, kind) })
      if (!includes(actions, action)) faults.push({ path: 'action', message: onlyOneOf(actions, kind) })
      faults.push(...faultsIn(config, { phase, action, urlRules }))
      if (faults.length === 0) return
      throw invalidRequest(faults.map(({ path, message }) => `${path}: ${message}`).join('; '), faults)
    },
  }
}

const includes = (names: readonly string[], name: string) => names.includes(name)
const onlyOneOf = (names: readonly string[], kind: KindName) =>
  `can only be ${names.join(' or ')} for ${kind}`
