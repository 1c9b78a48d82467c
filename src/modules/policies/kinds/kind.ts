import type { Static, TObject } from 'typebox'
import { Check } from 'typebox/value'
import type { ErrorDetail } from '../../../errors.js'
import type { UrlRules } from '../../../outbound/index.js'
import type { Judge } from './judge.js'

export const anyPhase = ['input', 'output', 'both'] as const
/** For kinds that judge the request, which no answer can change. */
export const inputOnly = ['input'] as const

/** For kinds that find text, which can be redacted. */
export const anyAction = ['block', 'redact', 'flag'] as const
/** For kinds that judge the call as a whole: there is nothing to redact. */
export const blockOrFlag = ['block', 'flag'] as const

export type Phase = (typeof anyPhase)[number]
export type Action = (typeof anyAction)[number]

/** How a policy would be used, as far as that decides whether its config makes sense. */
export interface PolicyUse {
  phase: Phase
  action: Action
  /** Which URLs a policy may call. */
  urlRules: UrlRules
}

/** One kind of policy. Everything that depends on the kind is defined here. */
export interface Kind<Schema extends TObject = TObject> {
  summary: string
  /** The shape of the config. What has a default may be left out of a request, and is in every stored config. */
  schema: Schema
  /** When it can be applied; the first is the default. */
  phases: readonly [Phase, ...Phase[]]
  /** What can happen on a violation; the first is the default. */
  actions: readonly [Action, ...Action[]]
  /** What is wrong with a config of the right shape; paths start at the policy. */
  findFaults(config: unknown, use: PolicyUse): ErrorDetail[]
  /** Makes a stored config ready to judge calls. Throws if it was stored under older rules and breaks the current ones. */
  compile(config: unknown): Judge
}

export function defineKind<Schema extends TObject>(definition: {
  summary: string
  schema: Schema
  phases: Kind['phases']
  actions: Kind['actions']
  check?(config: Static<Schema>, use: PolicyUse): ErrorDetail[]
  compile(config: Static<Schema>): Judge
}): Kind<Schema> {
  const { check, compile, ...rest } = definition
  function requireShape(config: unknown): Static<Schema> {
    if (Check(rest.schema, config)) return config
    throw new Error('a policy’s config is not of the shape that its kind asks for')
  }
  return {
    ...rest,
    findFaults: (config, use) => check?.(requireShape(config), use) ?? [],
    compile: (config) => compile(requireShape(config)),
  }
}
