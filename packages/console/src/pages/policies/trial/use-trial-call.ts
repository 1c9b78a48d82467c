import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiPages } from '../../../api'
import { useSession } from '../../../session'
import { usageQuery } from '../../../usage'

export type TrialKey = ReturnType<typeof useTrialKey>

export type TrialModel = ReturnType<typeof useTrialModel>

/** The key that the trial call uses: the user's own key if they signed in with one. */
export function useTrialKey() {
  const ownKeyId = useSession().keyId
  const { data, isSuccess } = useInfiniteQuery(apiPages('/v1/keys', { limit: 200, status: 'active' }))
  const [chosen, choose] = useState<string>()
  const id = chosen ?? ownKeyId ?? data?.[0]?.id
  const keys = data?.map(({ id, name, hint }) => ({
    value: id,
    label: id === ownKeyId ? `${name} (yours)` : `${name} …${hint}`,
  }))
  return { id, choose, keys: keys ?? [], isNone: isSuccess && id === undefined }
}

/** The model of the trial call. A recently used model may no longer be served, so the next one is tried then. */
export function useTrialModel(chosen: string) {
  const { data } = useQuery(usageQuery({ range: '30d', groupBy: 'model' }))
  const used = data?.groups.flatMap(({ key }) => (key ? [key] : [])) ?? []
  const [at, setAt] = useState(0)
  const candidates = ['mock/echo', ...used]
  const [tryNext] = useState(() => () => setAt((before) => before + 1))
  return { name: chosen || (candidates[at] ?? 'mock/echo'), used, tryNext }
}
