import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { api, baseUrl, expectSuccess } from '../../api'
import { notifyError } from '../../components'
import { useSession } from '../../session'

export interface PlaygroundKey {
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
  const [current, setCurrent] = useState<PlaygroundKey | null>(null)
  const latest = useRef<PlaygroundKey | null>(null)
  latest.current = current
  const create = useMutation({
    // The mutation result contains the key, so it is not cached.
    gcTime: 0,
    mutationFn: async (): Promise<PlaygroundKey> => {
      const expiresAt = new Date(Date.now() + hourMs).toISOString()
      const body = { name: 'Playground', expiresAt, ...(userId !== null && { userId }) }
      const created = await expectSuccess(api.POST('/v1/keys', { body }))
      return { value: created.key, id: created.id, expiresAt }
    },
    onSuccess: setCurrent,
    onError: (error) => notifyError('Key not created', error),
  })
  const release = useCallback(() => {
    const id = latest.current?.id
    latest.current = null
    setCurrent(null)
    create.reset()
    if (id) revoke(id)
  }, [create.reset])
  useEffect(() => {
    const onPageHide = () => {
      if (latest.current?.id) revoke(latest.current.id)
    }
    addEventListener('pagehide', onPageHide)
    return () => {
      removeEventListener('pagehide', onPageHide)
      onPageHide()
    }
  }, [])
  return {
    current,
    isCreating: create.isPending,
    create: () => create.mutate(),
    paste: (value: string) => setCurrent({ value, id: null, expiresAt: null }),
    release,
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
