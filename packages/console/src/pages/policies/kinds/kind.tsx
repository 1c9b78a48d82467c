import type { ComponentType, ReactElement } from 'react'
import type { FieldErrorOf } from '../editor/field-errors'
import type { Action, Phase } from '../policy'
import type { Sample } from '../trial/samples'

/** Properties of a trial call, besides its text and key. */
export type CallField = 'model' | 'tools' | 'maxOutputTokens' | 'stream'

export interface ConfigFormProps<Fields> {
  fields: Fields
  onChange(change: Partial<Fields>): void
  errorOf: FieldErrorOf
  disabled: boolean
}

/** The config of a policy that is being edited. */
export interface ConfigDraft {
  /** The config in the format of the API. */
  config: Record<string, unknown>
  /** False while required settings are empty, so that a new form shows no errors. */
  isFilledIn: boolean
  form(props: { onChange(draft: ConfigDraft): void; errorOf: FieldErrorOf; disabled: boolean }): ReactElement
}

/** A kind of policy; defines everything that depends on the kind. */
export interface PolicyKind {
  name: string
  /** What it does, as the end of the sentence "A policy that …". */
  description: string
  phases: readonly Phase[]
  actions: readonly Action[]
  /** Whether it finds matches in texts, which can be redacted, instead of judging the whole call. */
  findsText: boolean
  /** Whether it calls an external service. Such a policy has a secret and is not tested while typing. */
  callsService?: boolean
  /** Sample texts for the test. */
  samples?: readonly Sample[]
  /** The call properties that it judges, besides the text. */
  callFields?: readonly CallField[]
  /** Creates the form state of a stored config; that of a new policy is empty. */
  open(config: object): ConfigDraft
}

/** `Fields` are the settings as the form holds them: numbers as text, lists as lines. */
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
