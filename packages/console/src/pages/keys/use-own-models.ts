import { useEffect, useState } from 'react'
import { baseUrl, type components } from '../../api'
import type { CallableModel } from '../../components'

type ModelList = components['schemas']['ModelList']

/**
 * The models that a key may call, requested with the key itself; null until loaded. It bypasses the query cache, which would keep
 * the key.
 */
export function useOwnModels(value: string): readonly CallableModel[] | null {
  const [models, setModels] = useState<readonly CallableModel[] | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    fetch(`${baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${value}` },
      credentials: 'omit',
      signal: stop.signal,
    })
      .then(async (response) => {
        if (!response.ok) return
        const { data }: ModelList = await response.json()
        setModels(data)
      })
      // The snippets work without the list.
      .catch(() => undefined)
    return () => stop.abort()
  }, [value])
  return models
}
