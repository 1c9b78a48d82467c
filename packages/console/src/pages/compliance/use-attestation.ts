import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, type components } from '../../api'
import { type ComplianceSearch, defaultDays } from './search'

export type Attestation = components['schemas']['Attestation']

/** The attestation of the chosen period. Creating it verifies the record, so it is not refetched automatically. */
export function useAttestation() {
  const { days = defaultDays, period }: ComplianceSearch = useSearch({ strict: false })
  const query = period === undefined ? { days } : { period }
  return useQuery({
    ...apiQuery('/v1/compliance/attestation', { params: { query } }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
}
