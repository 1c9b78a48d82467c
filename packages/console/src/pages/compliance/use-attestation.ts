import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, type components } from '../../api'
import { type ComplianceSearch, defaultDays } from './search'

export type Attestation = components['schemas']['Attestation']

/**
 * The attestation of the chosen period. Creating it verifies the record, which takes seconds for a large one, so the last one is kept until
 * the user asks for another.
 */
export function useAttestation() {
  const { days = defaultDays, period }: ComplianceSearch = useSearch({ strict: false })
  const query = period === undefined ? { days } : { period }
  return useQuery({
    ...apiQuery('/v1/compliance/attestation', { params: { query } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}
