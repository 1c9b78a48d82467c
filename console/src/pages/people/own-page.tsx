import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ask } from '../../api'
import { CallsLink } from '../../calls-link'
import { formatUsd } from '../../format'
import { EmptyState, ErrorState, Headline, Skeleton } from '../../parts'
import { PersonActivity } from './person-activity'
import { PersonKeys } from './person-keys'
import { PersonLimits } from './person-limits'
import { currentMonth, useTeams } from './use-people'

/** What a member sees of people: itself, and its team. */
export function OwnPage({ userId }: { userId: string | null }) {
  if (userId === null)
    return (
      <EmptyState title="This key belongs to nobody">
        It has no owner, so there is no person and no team to show. What it spends and may do is on the{' '}
        <Link to="/keys" className="link">
          page of keys
        </Link>
        .
      </EmptyState>
    )
  return <Own userId={userId} />
}

function Own({ userId }: { userId: string }) {
  const params = { params: { path: { userId } } }
  const member = useQuery(ask('/v1/team/members/{userId}', params))
  const limit = useQuery(ask('/v1/user-limits/{userId}', params))
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
        </CallsLink>{' '}
        this month{budgetCapUsd !== null && <> of the {formatUsd(budgetCapUsd)} that are yours</>}
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
