import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, baseUrl, expectSuccess } from '../../api'
import { notifyError } from '../../components'
import { useSession } from '../../session'

export interface HeldKey {
  value: string
  /** Known for a key that was made here, which is revoked when it is let go. */
  id: string | null
  expiresAt: string | null
}

const hourMs = 3_600_000

/**
 * The virtual key of the playground. It is in the memory of this page and nowhere else: not in storage, not in the address, not among the
 * answers that are kept. One that was made here is revoked when the page is left.
 */
export function useKey() {
  const { userId } = useSession()
  const [held, setHeld] = useState<HeldKey | null>(null)
  const latest = useRef<HeldKey | null>(null)
  latest.current = held
  const make = useMutation({
    // Nothing is kept of a mutation whose component is gone.
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

/** Also while the page goes away. Where it fails (signed out, offline), the key ends by itself within the hour. */
function revoke(id: string): void {
  void fetch(`${baseUrl}/v1/keys/${id}`, {
    method: 'DELETE',
    credentials: 'same-origin',
    keepalive: true,
  }).catch(() => undefined)
}
