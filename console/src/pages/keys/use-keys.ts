import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Answer, ask, askPages } from '../../api'
import { useSession } from '../../session'
import { type Span, spanOf } from '../../time/span'
import { useTimeZone } from '../../time/use-span'
import type { KeysSearch } from './search'

export type Key = Answer<'/v1/keys'>['data'][number]

/** A page is as large as it may be: most tenants then have all of their keys in one, and can sort them. */
export const useKeys = ({ filter, status }: Pick<KeysSearch, 'filter' | 'status'>) =>
  useInfiniteQuery({
    ...askPages('/v1/keys', { limit: 200, ...(filter && { q: filter }), ...(status && { status }) }),
    placeholderData: keepPreviousData,
  })

/** What each key has spent since the first of the month, on the clock of whoever looks. */
export function useMonthByKey() {
  const timeZone = useTimeZone()
  const { from } = spanOf('month', new Date(), timeZone)
  const usage = useQuery(
    ask('/v1/usage', {
      params: { query: { from: from.toISOString(), timeZone, groupBy: 'key', interval: 'month' } },
    }),
  )
  const groups = new Map(usage.data?.groups.map((group) => [group.key, group]))
  return {
    totals: usage.data?.totals,
    /** Undefined where it is not known: groups beyond the first thousand are told in one sum. */
    spentBy(keyId: string): number | undefined {
      const group = groups.get(keyId)
      if (group) return group.spendUsd
      return usage.data && usage.data.rest === null ? 0 : undefined
    },
  }
}

/** For `search` of a link to the calls of this month, whatever the range of this page is. */
export const thisMonth = { range: 'month', from: undefined, to: undefined } as const

/** For `search` of a link to the calls of a span. */
export const inSpan = ({ from, to }: Span) =>
  ({ range: undefined, from: from.toISOString(), to: to.toISOString() }) as const

/** Names of teams and people by their ids. Members do not see who else there is. */
export function useNames() {
  const isReader = useSession().role !== 'member'
  const teams = useQuery(ask('/v1/team/teams'))
  const people = useInfiniteQuery({ ...askPages('/v1/team/members', { limit: 200 }), enabled: isReader })
  return {
    teams: teams.data ?? [],
    people: people.data ?? [],
    teamName: (id: string) => teams.data?.find((team) => team.id === id)?.name ?? id,
    personName: (userId: string) => people.data?.find((person) => person.userId === userId)?.name ?? userId,
  }
}
