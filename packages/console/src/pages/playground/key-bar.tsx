import { type FormEvent, useState } from 'react'
import { Button, Input, Time } from '../../components'
import { useIsManager } from '../../session'
import type { useKey } from './use-key'

/** The key of the playground: where it comes from, and how to replace it. */
export function KeyBar({ keys }: { keys: ReturnType<typeof useKey> }) {
  const isManager = useIsManager()
  const [typed, setTyped] = useState('')
  const { current } = keys
  if (current)
    return (
      <p className="m-0 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 border-y border-rule py-2 text-sm text-ink-2">
        <span>
          Calls are made with{' '}
          {current.id ? (
            <>
              the key “Playground” <span className="mono text-ink-3">…{current.value.slice(-4)}</span>, which
              expires <Time at={current.expiresAt} /> and is revoked when you leave this page
            </>
          ) : (
            <>
              your key <span className="mono text-ink-3">…{current.value.slice(-4)}</span>
            </>
          )}
          .
        </span>
        <Button size="sm" className="ml-auto" onClick={keys.release}>
          {current.id ? 'Revoke now' : 'Remove key'}
        </Button>
      </p>
    )
  const paste = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() === '') return
    keys.paste(typed.trim())
    setTyped('')
  }
  return (
    <div className="mb-6 border-y border-rule py-4">
      <p className="m-0 mb-3 max-w-[42rem] text-sm text-ink-2">
        The gateway accepts virtual keys only, not your session. Calls from here are limited, checked, charged
        and recorded like any other. The key is kept in this page’s memory only, until you leave or reload.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        {isManager && (
          <>
            <Button kind="primary" onClick={keys.create} isBusy={keys.isCreating}>
              Create a key for one hour
            </Button>
            <span className="text-sm text-ink-3">or</span>
          </>
        )}
        <form onSubmit={paste} className="flex min-w-0 flex-1 gap-2 sm:max-w-md">
          <Input
            type="password"
            aria-label="Your virtual key"
            placeholder="Paste a key: tallystick_sk_…"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            className="mono"
          />
          <Button type="submit" disabled={typed.trim() === ''}>
            Use key
          </Button>
        </form>
      </div>
    </div>
  )
}
