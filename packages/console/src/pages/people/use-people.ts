import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiPages, apiQuery, apiWholeList, type ResponseOf, useInvalidate } from '../../api'
import { usageQuery } from '../../usage'
import type { PeopleSearch } from './search'

export type Member = ResponseOf<'/v1/team/members'>['data'][number]
export type Limit = ResponseOf<'/v1/user-limits'>['data'][number]
export type Team = ResponseOf<'/v1/team/teams'>[number]

export interface Person {
  member: Member
  /** Undefined while loading. */
  limit: Limit | undefined
}

/** Loads people and their limits together: two lists with the same order, filters and pages. */
export function usePeople({ filter, team, role, status }: PeopleSearch) {
  const query = {
    limit: 200,
    ...(filter && { q: filter }),
    ...(team && { teamId: team }),
    ...(role && { role }),
    ...(status && { status }),
  }
  const members = useInfiniteQuery({
    ...apiPages('/v1/team/members', query),
    placeholderData: keepPreviousData,
  })
  const limits = useInfiniteQuery({
    ...apiPages('/v1/user-limits', query),
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => {
    const byUser = new Map(limits.data?.map((limit) => [limit.userId, limit]))
    return members.data?.map((member): Person => ({ member, limit: byUser.get(member.userId) }))
  }, [members.data, limits.data])
  return {
    rows,
    error: members.error ?? limits.error,
    retry() {
      void members.refetch()
      void limits.refetch()
    },
    more: {
      hasMore: members.hasNextPage,
      isLoading: members.isFetchingNextPage || limits.isFetchingNextPage,
      load() {
        void members.fetchNextPage()
        if (limits.hasNextPage) void limits.fetchNextPage()
      },
    },
  }
}

/** Budgets of teams and caps cover a calendar month in UTC, in any time zone. */
export function currentMonth(now = new Date()) {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) }
}

export interface SpendingTeam extends Team {
  /** Undefined if unknown: groups after the first thousand are summed up. */
  spentUsd: number | undefined
  /** The used share of the budget; null if the budget is zero or the spend is unknown. */
  share: number | null
}

/** The teams with their spend, highest share first. */
export function useTeams() {
  const teams = useQuery(apiWholeList('/v1/team/teams'))
  const usage = useQuery(usageQuery({ range: 'mtd', groupBy: 'team', interval: 'month' }))
  const spending = useMemo(() => {
    const groups = new Map(usage.data?.groups.map(({ key, spendUsd }) => [key, spendUsd]))
    const isWhole = usage.data !== undefined && usage.data.rest === null
    return teams.data
      ?.map((team): SpendingTeam => {
        const spentUsd = groups.get(team.id) ?? (isWhole ? 0 : undefined)
        const share =
          spentUsd === undefined || team.budgetPoolUsd === 0 ? null : spentUsd / team.budgetPoolUsd
        return { ...team, spentUsd, share }
      })
      .sort((a, b) => (b.share ?? -1) - (a.share ?? -1))
  }, [teams.data, usage.data])
  return {
    teams: spending,
    error: teams.error,
    retry: () => void teams.refetch(),
    total: usage.data?.totals.spendUsd,
    nameOf: (id: string) => teams.data?.find((team) => team.id === id)?.name ?? id,
  }
}

/** What depends on a person or a team, and how many calls it made recently. Confirmations list it. */
export function useDependents({ type, id }: { type: 'user' | 'team'; id: string }) {
  const whose = type === 'user' ? { userId: id } : { teamId: id }
  const keys = useQuery(
    apiQuery('/v1/keys', { params: { query: { ...whose, status: 'active' as const, limit: 200 } } }),
  )
  const budgets = useQuery(apiQuery('/v1/budgets', { params: { query: { limit: 200 } } }))
  const policies = useQuery(apiQuery('/v1/policies', { params: { query: { limit: 200 } } }))
  const members = useQuery({
    ...apiQuery('/v1/team/members', { params: { query: { teamId: id, limit: 200 } } }),
    enabled: type === 'team',
  })
  const usage = useQuery(usageQuery({ range: '24h', ...whose }))
  const isOf = ({ scope }: { scope: { type: string; id?: string } }) => scope.type === type && scope.id === id
  return {
    isKnown: [keys, budgets, policies, usage].every(({ data }) => data !== undefined),
    error: keys.error ?? budgets.error ?? policies.error ?? usage.error,
    keys: keys.data?.data.length ?? 0,
    members: members.data?.data.length ?? 0,
    budgets: budgets.data?.data.filter(isOf).length ?? 0,
    policies: policies.data?.data.filter(isOf).length ?? 0,
    callsLastDay: usage.data?.totals.requests ?? 0,
  }
}

/** The paths to refetch after a change of people, limits or teams. */
export const peoplePaths = [
  ...['/v1/team/', '/v1/user-limits', '/v1/keys', '/v1/usage', '/v1/budgets', '/v1/policies'],
] as const
export const useRefreshPeople = () => useInvalidate(peoplePaths)

/** Yellow from 80 %, red when used up. */
export const toneOfSpend = (spent: number, max: number) =>
  spent >= max ? 'bad' : spent >= max * 0.8 ? 'warn' : 'accent'
