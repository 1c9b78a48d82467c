import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type components, expectSuccess } from '../../../api'

export type TrialResult = components['schemas']['PolicyTrialResult']
export type Finding = TrialResult['findings'][number]
export type DraftBody = components['schemas']['PolicyDraftTrial']['draft']
type TrialBody = components['schemas']['PolicyTrial']

export interface Trial {
  /** Null to ask only what is in force. */
  draft: DraftBody | null
  alone: boolean
  call: TrialBody
}

/** Long enough for the next letter, short enough to seem at once. */
const pauseMs = 220

/** A value once it rests. */
function useRested<T>(value: T): T {
  const json = JSON.stringify(value)
  const [rested, setRested] = useState({ json, value })
  useEffect(() => {
    if (rested.json === json) return
    const timer = setTimeout(() => setRested({ json, value: JSON.parse(json) }), pauseMs)
    return () => clearTimeout(timer)
  }, [json, rested.json])
  return rested.value
}

/**
 * What the policies would decide, asked while somebody types. A question that is no longer the newest is cancelled, and nothing of it is
 * kept: a text that is tried is nobody else's.
 */
export function useTrial(trial: Trial, isAsked: boolean) {
  const { draft, alone, call } = useRested(trial)
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
