import type { Static, TObject } from 'typebox'
import { Check } from 'typebox/value'
import type { ErrorDetail } from '../../../errors.js'
import type { UrlRules } from '../../../outbound/index.js'
import type { Judge } from './judge.js'

export const anyPhase = ['input', 'output', 'both'] as const
/** For kinds that judge what was asked for, which no answer can change. */
export const inputOnly = ['input'] as const

/** For kinds that find text, which can then be taken out. */
export const anyAction = ['block', 'redact', 'flag'] as const
/** For kinds that judge the call as a whole: there is nothing to take out of it. */
export const blockOrFlag = ['block', 'flag'] as const

export type Phase = (typeof anyPhase)[number]
export type Action = (typeof anyAction)[number]

/** How a policy would be used, as far as that decides whether its config makes sense. */
export interface PolicyUse {
  phase: Phase
  action: Action
  /** Where a policy of the tenant may send calls to. */
  urlRules: UrlRules
}

/** One way of judging a call. Everything that depends on the kind of a policy is said here, once. */
export interface Kind<Schema extends TObject = TObject> {
  summary: string
  /** The shape of the config. What has a default may be left out of a request, and is there in every stored config. */
  schema: Schema
  /** When it can be applied; the first is the default. */
  phases: readonly [Phase, ...Phase[]]
  /** What can follow from it; the first is the default. */
  actions: readonly [Action, ...Action[]]
  /** What is wrong with a config of the right shape; paths start at the policy. */
  faultsIn(config: unknown, use: PolicyUse): ErrorDetail[]
  /** Makes a stored config ready to judge calls. Throws for one that was stored under rules that no longer hold. */
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
  function configOf(config: unknown): Static<Schema> {
    if (Check(rest.schema, config)) return config
    throw new Error('a policy’s config is not of the shape that its kind asks for')
  }
  return {
    ...rest,
    faultsIn: (config, use) => check?.(configOf(config), use) ?? [],
    compile: (config) => compile(configOf(config)),
  }
}

export const strict = { additionalProperties: false }
