import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useInvalidate } from '../../api'
import { notify, notifyError } from '../toasts'
import { changedMembers, conflictingMembers, isEqual } from './draft-changes'
import { type ErrorOf, fieldErrors, isCoveredByFields } from './field-errors'

export interface DraftFormOptions<Row, Draft extends object, Body extends object, Saved> {
  /** The record that is edited; null creates a new one. */
  record: Row | null
  toDraft(record: Row | null): Draft
  /** The request body. An edit sends only the members that differ from those of the original draft. */
  toBody(draft: Draft): Body
  create?(body: Body): Promise<Saved>
  update?(changes: Partial<Body>, record: Row): Promise<Saved>
  /** Errors that the form finds itself, by API path. They show after the first attempt to save. */
  validate?(draft: Draft): Record<string, string | null>
  /** API paths of draft members with another name; null for a member that has no field of its own. */
  paths?: Partial<Record<keyof Draft, string | null>>
  /** Further API paths whose errors the form shows beside a field. */
  morePaths?: readonly string[]
  /** API paths, or their beginnings, whose queries are fetched again after saving. */
  invalidates: readonly string[]
  /** The toast after saving; null for none. */
  message?(saved: Saved): string | null
  /** The title of a toast when saving fails, for a form without an error summary. */
  errorTitle?: string
  onSaved?(saved: Saved): unknown
  onClose?(): void
}

export interface DraftForm<Draft extends object> {
  draft: Draft
  set(change: Partial<Draft>): void
  /** Value, setter and error of one member, to spread into a field. */
  field<F extends keyof Draft & string>(name: F): FieldBinding<Draft[F]>
  errorOf: ErrorOf
  /** The error of the last save. */
  error: unknown
  /** The error of the last save if no field shows it. */
  summary: unknown
  isDirty: boolean
  isSaving: boolean
  /** The stored record now differs in members that were edited here. */
  hasConflict: boolean
  submit(): void
  /** Restores the stored record, or the defaults of a new one. */
  reset(): void
  close(): void
  /** The props of the `<form>`. */
  props: {
    ref: React.RefObject<HTMLFormElement | null>
    noValidate: true
    autoComplete: 'off'
    onSubmit(event: FormEvent): void
    onKeyDown(event: KeyboardEvent): void
  }
}

interface FieldBinding<T> {
  value: T
  onValue(value: T): void
  error: string | null
}

/** Manages the draft of a record: validation, saving, errors by field, and refetching after a save. */
export function useDraftForm<Row, Draft extends object, Body extends object, Saved>(
  options: DraftFormOptions<Row, Draft, Body, Saved>,
): DraftForm<Draft> {
  const { record, toDraft, toBody, onClose, paths, morePaths = [] } = options
  const [original, setOriginal] = useState(() => toDraft(record))
  const [draft, setDraft] = useState(original)
  const [attempts, setAttempts] = useState(0)
  const ref = useRef<HTMLFormElement>(null)
  const invalidate = useInvalidate(options.invalidates)
  const save = useMutation({
    // A secret that was typed must not outlive the form in the mutation cache.
    gcTime: 0,
    async mutationFn(sent: Draft) {
      const body = toBody(sent)
      if (record === null) return await options.create?.(body)
      const changes = changedMembers(toBody(original), body)
      return Object.keys(changes).length === 0 ? undefined : await options.update?.(changes, record)
    },
    async onSuccess(saved) {
      if (saved !== undefined) {
        await invalidate()
        const message = options.message?.(saved) ?? null
        if (message !== null) notify(message)
      }
      onClose?.()
      if (saved !== undefined) options.onSaved?.(saved)
    },
    onError(error) {
      setAttempts((count) => count + 1)
      if (options.errorTitle) notifyError(options.errorTitle, error)
    },
  })

  const ownErrors = options.validate?.(draft) ?? {}
  const apiErrorOf = fieldErrors(save.error)
  const errorOf: ErrorOf = (path) => (attempts > 0 ? ownErrors[path] : null) ?? apiErrorOf(path)
  const names = Object.keys(original) as (keyof Draft & string)[]
  const pathOf = (name: keyof Draft & string): string | null => {
    const path = paths?.[name]
    return path === undefined ? name : path
  }
  const shown = [...names.map(pathOf).filter((path) => path !== null), ...morePaths]

  useEffect(() => {
    if (attempts > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])

  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const submit = () => {
    if (save.isPending) return
    const isValid = Object.values(ownErrors).every((error) => error === null)
    if (isValid) save.mutate(draft)
    else setAttempts(attempts + 1)
  }
  return {
    draft,
    set,
    field: (name) => ({
      value: draft[name],
      onValue: (value) => set({ [name]: value } as unknown as Partial<Draft>),
      error: errorOf(pathOf(name) ?? name),
    }),
    errorOf,
    error: save.error,
    summary: save.error !== null && !isCoveredByFields(save.error, shown) ? save.error : null,
    isDirty: !isEqual(draft, original),
    isSaving: save.isPending,
    hasConflict: record !== null && conflictingMembers(original, draft, toDraft(record)).length > 0,
    submit,
    reset() {
      const stored = toDraft(record)
      setOriginal(stored)
      setDraft(stored)
      setAttempts(0)
      save.reset()
    },
    close: () => onClose?.(),
    props: {
      ref,
      noValidate: true,
      autoComplete: 'off',
      onSubmit(event) {
        event.preventDefault()
        // A form in a dialog must not submit the form of the panel that the dialog was opened from.
        event.stopPropagation()
        submit()
      },
      onKeyDown(event) {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
        event.preventDefault()
        submit()
      },
    },
  }
}
