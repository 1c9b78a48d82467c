import type { ComponentType, ReactElement } from 'react'
import type { FieldErrorOf } from '../editor/field-errors'
import type { Action, Phase } from '../policy'
import type { Sample } from '../trial/samples'

/** What can be set of a call on trial, besides its text and its key. */
export type CallFact = 'model' | 'tools' | 'maxOutputTokens' | 'stream'

export interface ConfigFormProps<Fields> {
  fields: Fields
  onChange(change: Partial<Fields>): void
  errorOf: FieldErrorOf
  disabled: boolean
}

/** The config of a policy while it is edited. */
export interface ConfigDraft {
  /** As it is sent. */
  config: Record<string, unknown>
  /** False while there is too little of it to ask the service about: a form that was just opened has no faults yet. */
  isFilledIn: boolean
  form(props: { onChange(draft: ConfigDraft): void; errorOf: FieldErrorOf; disabled: boolean }): ReactElement
}

/** A kind of policy. Everything that depends on the kind is defined here. */
export interface PolicyKind {
  name: string
  /** What it does, as the end of the sentence "A policy that …". */
  does: string
  phases: readonly Phase[]
  actions: readonly Action[]
  /** True if it finds something in texts, which can be redacted, rather than judging the call as a whole. */
  findsText: boolean
  /** True if it calls an external service: it has a secret, and is not tested at every keystroke. */
  callsService?: boolean
  /** Texts to test it with. */
  samples?: readonly Sample[]
  /** What it judges of a call besides its text. */
  judges?: readonly CallFact[]
  /** Opens a stored config; that of a new policy is empty. */
  open(config: object): ConfigDraft
}

/** `Fields` are the settings as they stand in the form: numbers as they are typed, lists as lines. */
export function defineKind<Fields extends object>(
  definition: Omit<PolicyKind, 'open'> & {
    read(config: Record<string, unknown>): Fields
    write(fields: Fields): Record<string, unknown>
    isFilledIn(fields: Fields): boolean
    Form: ComponentType<ConfigFormProps<Fields>>
  },
): PolicyKind {
  const { read, write, isFilledIn, Form, ...rest } = definition
  const draftOf = (fields: Fields): ConfigDraft => ({
    config: write(fields),
    isFilledIn: isFilledIn(fields),
    form: ({ onChange, ...props }) => (
      <Form {...props} fields={fields} onChange={(change) => onChange(draftOf({ ...fields, ...change }))} />
    ),
  })
  return { ...rest, open: (config) => draftOf(read({ ...config })) }
}

const anyPhase = ['input', 'output', 'both'] as const

/** The phases and actions of a kind that finds something in texts. */
export const findsInTexts = {
  phases: anyPhase,
  actions: ['block', 'redact', 'flag'],
  findsText: true,
} as const satisfies Partial<PolicyKind>

/** The phases and actions of a kind that judges requests as a whole. */
export const judgesRequests = {
  phases: ['input'],
  actions: ['block', 'flag'],
  findsText: false,
} as const satisfies Partial<PolicyKind>

/** The phases and actions of a kind that judges requests and responses as a whole. */
export const judgesCalls = { ...judgesRequests, phases: anyPhase } as const satisfies Partial<PolicyKind>
