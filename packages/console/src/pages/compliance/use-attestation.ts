import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api, apiQuery, type components, expectSuccess } from '../../api'
import { type ComplianceSearch, defaultDays } from './search'

export type Attestation = components['schemas']['Attestation']

/**
 * The last attestation of the chosen period. Creating one verifies the record, which takes seconds for a large one, so it is created only
 * if there is none yet or when the user asks for another.
 */
export function useAttestation() {
  const { days = defaultDays, period }: ComplianceSearch = useSearch({ strict: false })
  const queries = useQueryClient()
  const query = period === undefined ? { days } : { period }
  const { queryKey } = apiQuery('/v1/compliance/attestation', { params: { query } })
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const reuse = queries.getQueryData(queryKey) === undefined
      return await expectSuccess(
        api.GET('/v1/compliance/attestation', { params: { query: { ...query, reuse } }, signal }),
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
