import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, baseUrl, expectSuccess } from '../../api'
import { notifyError } from '../../components'
import { useSession } from '../../session'

export interface HeldKey {
  value: string
  /** The ID of a key that was created here; null for a pasted key. */
  id: string | null
  expiresAt: string | null
}

const hourMs = 3_600_000

/**
 * The virtual key of the playground. It exists only in the memory of this page: neither in storage, nor in the URL, nor in the query
 * cache. A key that was created here is revoked when the user leaves the page.
 */
export function useKey() {
  const { userId } = useSession()
  const [held, setHeld] = useState<HeldKey | null>(null)
  const latest = useRef<HeldKey | null>(null)
  latest.current = held
  const make = useMutation({
    // The mutation result contains the key, so it is not cached.
    gcTime: 0,
    mutationFn: async (): Promise<HeldKey> => {
      const expiresAt = new Date(Date.now() + hourMs).toISOString()
      const body = { name: 'Playground', expiresAt, ...(userId !== null && { userId }) }
      const made = await expectSuccess(api.POST('/v1/keys', { body }))
      return { value: made.key, id: made.id, expiresAt }
    },
    onSuccess: setHeld,
    onError: (error) => notifyError('Key not created', error),
  })
  const letGo = useCallback(() => {
    const id = latest.current?.id
    latest.current = null
    setHeld(null)
    make.reset()
    if (id) revoke(id)
  }, [make.reset])
  useEffect(() => {
    const onHide = () => {
      if (latest.current?.id) revoke(latest.current.id)
    }
    addEventListener('pagehide', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      onHide()
    }
  }, [])
  return {
    held,
    isMaking: make.isPending,
    make: () => make.mutate(),
    paste: (value: string) => setHeld({ value, id: null, expiresAt: null }),
    letGo,
  }
}

/** Also runs while the page is closing. If it fails (signed out, offline), the key expires within an hour. */
function revoke(id: string): void {
  void fetch(`${baseUrl}/v1/keys/${id}`, {
    method: 'DELETE',
    credentials: 'same-origin',
    keepalive: true,
  }).catch(() => undefined)
}
