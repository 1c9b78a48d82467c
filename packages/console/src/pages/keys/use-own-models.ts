import { useEffect, useState } from 'react'
import { baseUrl, type components } from '../../api'

type ModelList = components['schemas']['ModelList']

/** What a key may call, asked with the key itself; null until that is known. No query cache: its value is kept nowhere but in the dialog that shows it. */
export function useOwnModels(value: string): readonly string[] | null {
  const [models, setModels] = useState<readonly string[] | null>(null)
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
        setModels(data.map(({ id }) => id))
      })
      // The snippets are of use without it.
      .catch(() => undefined)
    return () => stop.abort()
  }, [value])
  return models
}
