import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../api'
import { CallsLink } from '../../calls-link'
import { EmptyState, ErrorState, Headline, Skeleton } from '../../components'
import { formatUsd } from '../../format'
import { PersonActivity } from './person/person-activity'
import { PersonKeys } from './person/person-keys'
import { PersonLimits } from './person/person-limits'
import { currentMonth, useTeams } from './use-people'

/** The people page of a member: their own limits and team. */
export function OwnPage({ userId }: { userId: string | null }) {
  if (userId === null)
    return (
      <EmptyState title="This key has no owner">
        There is no person or team to show. Its spend and limits are on the{' '}
        <Link to="/keys" className="link">
          keys page
        </Link>
        .
      </EmptyState>
    )
  return <OwnContent userId={userId} />
}

function OwnContent({ userId }: { userId: string }) {
  const params = { params: { path: { userId } } }
  const member = useQuery(apiQuery('/v1/team/members/{userId}', params))
  const limit = useQuery(apiQuery('/v1/user-limits/{userId}', params))
  const teams = useTeams()
  const error = member.error ?? limit.error
  if (error && !(member.data && limit.data))
    return (
      <ErrorState
        error={error}
        retry={() => {
          void member.refetch()
          void limit.refetch()
        }}
      />
    )
  if (!member.data || !limit.data) return <Skeleton className="h-40" />
  const { spentUsd, budgetCapUsd } = limit.data
  const team = member.data.teamId === null ? null : teams.nameOf(member.data.teamId)
  return (
    <>
      <Headline>
        You have spent{' '}
        <CallsLink calls={{ ...currentMonth(), filter: { userId } }}>
          <b>{formatUsd(spentUsd)}</b>
        </CallsLink>
        {budgetCapUsd !== null && <> of your {formatUsd(budgetCapUsd)} cap</>} this month
        {team === null ? '.' : <>, for team {team}.</>}
      </Headline>
      <div className="gap-x-14 lg:grid lg:grid-cols-2">
        <div>
          <PersonLimits member={member.data} limit={limit.data} teams={teams} hidesPool />
          <PersonKeys userId={userId} />
        </div>
        <div>
          <PersonActivity userId={userId} />
        </div>
      </div>
    </>
  )
}
