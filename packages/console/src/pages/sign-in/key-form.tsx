import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, api, expectSuccess, messageOf } from '../../api'
import { Button, Field, Input } from '../../components'
import { sessionQuery } from '../../session'

/** Explains why a key was rejected. */
function describeRejection(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  if (error.status === 401) return 'This key is not valid: it was revoked, has expired, or is incomplete.'
  if (error.type === 'user_suspended')
    return 'The owner of this key is suspended. Ask a manager of your tenant.'
  if (error.status === 403)
    return 'The service expects another address. Open the console at the configured address.'
  return messageOf(error)
}

export interface KeyFormProps {
  isDelayed: boolean
  onDelayed(seconds: number): void
  kind: 'primary' | 'plain'
}

/** The key is sent once and not stored: neither by the page nor by password managers, which would take it for a password. */
export function KeyForm({ isDelayed, onDelayed, kind }: KeyFormProps) {
  const [key, setKey] = useState('')
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: async () => await expectSuccess(api.POST('/v1/session', { body: { key: key.trim() } })),
    onSuccess: (session) => {
      setKey('')
      // Drop what another user of this tab has loaded.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
      queries.setQueryData(sessionQuery.queryKey, session)
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 429) onDelayed(error.retryAfterSeconds ?? 60)
    },
  })
  const isLate = signIn.error instanceof ApiError && signIn.error.status === 429
  const error = signIn.error === null || isLate ? null : describeRejection(signIn.error)
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (key.trim() !== '' && !isDelayed) signIn.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3" autoComplete="off">
      <Field label="Key" error={error} hint="Checked once and not stored. The browser gets a session.">
        {(ids) => (
          <Input
            {...ids}
            name="tallystick-key"
            className="mono h-10 [-webkit-text-security:disc]"
            placeholder="tallystick_sk_…"
            value={key}
            autoFocus
            autoCapitalize="off"
            data-1p-ignore
            data-lpignore="true"
            data-bwignore
            onChange={(event) => {
              setKey(event.target.value)
              if (signIn.error !== null) signIn.reset()
            }}
          />
        )}
      </Field>
      <Button
        type="submit"
        kind={kind}
        className="h-10"
        isBusy={signIn.isPending}
        disabled={isDelayed || key.trim() === ''}
      >
        {signIn.isPending ? 'Signing in …' : 'Sign in with a key'}
      </Button>
    </form>
  )
}
