import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { apiPages, apiWholeList } from '../../api'
import type { Scope } from './policy'

/** The possible scopes of a policy and their names. Members may not read them. */
export function useScopes() {
  const teams = useQuery(apiWholeList('/v1/team/teams')).data ?? []
  const people = useInfiniteQuery(apiPages('/v1/team/members', { limit: 200 })).data ?? []
  const keys = useInfiniteQuery(apiPages('/v1/keys', { limit: 200 })).data ?? []
  const choices = {
    team: teams.map(({ id, name }) => ({ value: id, label: name })),
    user: people.map(({ userId, name }) => ({ value: userId, label: name ?? userId })),
    key: keys
      .filter(({ status }) => status === 'active')
      .map(({ id, name, hint }) => ({ value: id, label: `${name} …${hint}` })),
  }
  return {
    choices,
    nameOf({ type, id }: Scope): string {
      if (type === 'tenant') return 'Everyone'
      if (type === 'key') return keys.find((key) => key.id === id)?.name ?? id
      return choices[type].find(({ value }) => value === id)?.label ?? id
    },
  }
}
