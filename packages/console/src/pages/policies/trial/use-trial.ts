import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type components, expectSuccess } from '../../../api'

export type TrialResult = components['schemas']['PolicyTrialResult']
export type Finding = TrialResult['findings'][number]
export type DraftBody = components['schemas']['PolicyDraftTrial']['draft']
type TrialBody = components['schemas']['PolicyTrial']

export interface Trial {
  /** Null tests only the enabled policies. */
  draft: DraftBody | null
  alone: boolean
  call: TrialBody
}

/** Long enough to wait for the next keystroke, short enough to feel immediate. */
const debounceMs = 220

/** Returns the value once it has not changed for `pauseMs`. */
function useDebounced<T>(value: T): T {
  const json = JSON.stringify(value)
  const [debounced, setDebounced] = useState({ json, value })
  useEffect(() => {
    if (debounced.json === json) return
    const timer = setTimeout(() => setDebounced({ json, value: JSON.parse(json) }), debounceMs)
    return () => clearTimeout(timer)
  }, [json, debounced.json])
  return debounced.value
}

/**
 * Evaluates policies while the user types. An outdated request is cancelled, and results are not cached, because the text may be
 * confidential.
 */
export function useTrial(trial: Trial, isAsked: boolean) {
  const { draft, alone, call } = useDebounced(trial)
  return useQuery({
    queryKey: ['/v1/policies/evaluate', { draft, alone, call }],
    queryFn: async ({ signal }) => {
      const result =
        draft === null
          ? await expectSuccess(api.POST('/v1/policies/evaluate', { body: call, signal }))
          : await expectSuccess(
              api.POST('/v1/policies/evaluate-draft', { body: { ...call, draft, alone }, signal }),
            )
      return { result, call }
    },
    enabled: isAsked,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  })
}
