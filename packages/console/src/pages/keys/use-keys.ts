import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiPages, apiWholeList, type ResponseOf } from '../../api'
import { useSession } from '../../session'
import { type Span, spanOf } from '../../time/span'
import { useTimeZone } from '../../time/use-span'
import { usageQuery } from '../../usage'
import type { KeysSearch } from './search'

export type Key = ResponseOf<'/v1/keys'>['data'][number]

/** The paths to refetch after a change of a key. */
export const keyPaths = ['/v1/keys'] as const

/** Uses the maximum page size: most tenants then have all keys in one page, which can be sorted. */
export const useKeys = ({ filter, status }: Pick<KeysSearch, 'filter' | 'status'>) =>
  useInfiniteQuery({
    ...apiPages('/v1/keys', { limit: 200, ...(filter && { q: filter }), ...(status && { status }) }),
    placeholderData: keepPreviousData,
  })

/** This month up to the current minute, in the user's time zone. */
export function useMonth(): Span & { timeZone: string } {
  const timeZone = useTimeZone()
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  return useMemo(() => ({ ...spanOf('month', new Date(minute), timeZone), timeZone }), [minute, timeZone])
}

/** The spend of each key this month. */
export function useMonthByKey({ from, timeZone }: { from: Date; timeZone: string }) {
  const usage = useQuery(
    usageQuery({ from: from.toISOString(), timeZone, groupBy: 'key', interval: 'month' }),
  )
  return useMemo(() => {
    const groups = new Map(usage.data?.groups.map((group) => [group.key, group]))
    return {
      totals: usage.data?.totals,
      /** Undefined if unknown: groups after the first thousand are summed up. */
      spentBy(keyId: string): number | undefined {
        const group = groups.get(keyId)
        if (group) return group.spendUsd
        return usage.data?.rest === null ? 0 : undefined
      },
    }
  }, [usage.data])
}

/** The names of teams and people by ID. Members may not read them. */
export function useNames() {
  const isReader = useSession().role !== 'member'
  const teams = useQuery(apiWholeList('/v1/team/teams'))
  const people = useInfiniteQuery({ ...apiPages('/v1/team/members', { limit: 200 }), enabled: isReader })
  return useMemo(() => {
    const teamNames = new Map(teams.data?.map(({ id, name }) => [id, name]))
    const persons = new Map(people.data?.map((person) => [person.userId, person]))
    const teamName = (id: string) => teamNames.get(id) ?? id
    return {
      teams: teams.data ?? [],
      people: people.data ?? [],
      teamName,
      personName: (userId: string) => persons.get(userId)?.name ?? userId,
      /** The team that a key's spend counts towards: its own, or that of its owner. */
      nameOfTeam({ teamId, userId }: Pick<Key, 'teamId' | 'userId'>): string | null {
        const id = teamId ?? (userId === null ? null : (persons.get(userId)?.teamId ?? null))
        return id === null ? null : teamName(id)
      },
    }
  }, [teams.data, people.data])
}
