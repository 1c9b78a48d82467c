import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, type components } from '../../api'
import { type ComplianceSearch, defaultDays } from './search'

export type Attestation = components['schemas']['Attestation']

/** The attestation of the period that the address chooses. Each is verified anew, so it is not asked for again by itself. */
export function useAttestation() {
  const { days = defaultDays, period }: ComplianceSearch = useSearch({ strict: false })
  const query = period === undefined ? { days } : { period }
  return useQuery({
    ...apiQuery('/v1/compliance/attestation', { params: { query } }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
