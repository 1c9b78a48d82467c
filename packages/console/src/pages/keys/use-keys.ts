import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiPages, apiQuery, type ResponseOf } from '../../api'
import { useSession } from '../../session'
import { type Span, spanOf } from '../../time/span'
import { useTimeZone } from '../../time/use-span'
import { usageQuery } from '../../usage'
import type { KeysSearch } from './search'

export type Key = ResponseOf<'/v1/keys'>['data'][number]

/** What changes with a key. */
export const keyPaths = ['/v1/keys'] as const

/** A page is as large as it may be: most tenants then have all of their keys in one, and can sort them. */
export const useKeys = ({ filter, status }: Pick<KeysSearch, 'filter' | 'status'>) =>
  useInfiniteQuery({
    ...apiPages('/v1/keys', { limit: 200, ...(filter && { q: filter }), ...(status && { status }) }),
    placeholderData: keepPreviousData,
  })

/** This month up to the minute, on the clock of whoever looks. */
export function useMonth(): Span & { timeZone: string } {
  const timeZone = useTimeZone()
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  return useMemo(() => ({ ...spanOf('month', new Date(minute), timeZone), timeZone }), [minute, timeZone])
}

/** What each key has spent this month. */
export function useMonthByKey({ from, timeZone }: { from: Date; timeZone: string }) {
  const usage = useQuery(
    usageQuery({ from: from.toISOString(), timeZone, groupBy: 'key', interval: 'month' }),
  )
  return useMemo(() => {
    const groups = new Map(usage.data?.groups.map((group) => [group.key, group]))
    return {
      totals: usage.data?.totals,
      /** Undefined where it is not known: groups beyond the first thousand are told in one sum. */
      spentBy(keyId: string): number | undefined {
        const group = groups.get(keyId)
        if (group) return group.spendUsd
        return usage.data?.rest === null ? 0 : undefined
      },
    }
  }, [usage.data])
}

/** Names of teams and people by their ids. Members do not see who else there is. */
export function useNames() {
  const isReader = useSession().role !== 'member'
  const teams = useQuery(apiQuery('/v1/team/teams'))
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
      /** Whom the spend of a key counts for: its team, else that of its owner. */
      nameOfTeam({ teamId, userId }: Pick<Key, 'teamId' | 'userId'>): string | null {
        const id = teamId ?? (userId === null ? null : (persons.get(userId)?.teamId ?? null))
        return id === null ? null : teamName(id)
      },
    }
  }, [teams.data, people.data])
}
