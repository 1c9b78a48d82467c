import type { Static, TObject } from 'typebox'
import { Check } from 'typebox/value'
import type { UrlRules } from '../../outbound/index.js'
import type { ErrorDetail } from '../../shared/errors.js'
import type { Judge } from './judge.js'

export const anyPhase = ['input', 'output', 'both'] as const
/** The phases of kinds that judge only the request. */
export const inputOnly = ['input'] as const

/** The actions of kinds that find text, which can be redacted. */
export const anyAction = ['block', 'redact', 'flag'] as const
/** The actions of kinds that judge the call as a whole, with nothing to redact. */
export const blockOrFlag = ['block', 'flag'] as const

export type Phase = (typeof anyPhase)[number]
export type Action = (typeof anyAction)[number]

/** The use of a policy, as far as it affects whether its config is valid. */
export interface PolicyUse {
  phase: Phase
  action: Action
  /** The rules for URLs that a policy may call. */
  urlRules: UrlRules
}

/** One kind of policy. Everything that depends on the kind is defined here. */
export interface Kind<Schema extends TObject = TObject> {
  summary: string
  /** The schema of the config. Members with a default may be omitted in a request; stored configs have all of them. */
  schema: Schema
  /** The phases in which it can be applied; the first is the default. */
  phases: readonly [Phase, ...Phase[]]
  /** The possible actions on a violation; the first is the default. */
  actions: readonly [Action, ...Action[]]
  /** Returns the errors of a config that matches the schema; paths start at the policy. */
  findErrors(config: unknown, use: PolicyUse): ErrorDetail[]
  /** Compiles a stored config. Throws if it was stored under older rules and breaks the current ones. */
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
    findErrors: (config, use) => check?.(requireShape(config), use) ?? [],
    compile: (config) => compile(requireShape(config)),
  }
}
