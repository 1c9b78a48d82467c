import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiQuery } from '../../../api'
import {
  Button,
  CopyButton,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Menu,
  SidePanel,
  Skeleton,
  Status,
  Tag,
  Time,
} from '../../../components'
import { useIsManager } from '../../../session'
import type { Limit, Member, useTeams } from '../use-people'
import { RemovePerson, SuspendPerson } from './deactivate-person'
import { LimitsForm } from './limits-form'
import { PersonActivity } from './person-activity'
import { PersonForm } from './person-form'
import { PersonKeys } from './person-keys'
import { PersonLimits } from './person-limits'

interface PersonPanelProps {
  userId: string
  teams: ReturnType<typeof useTeams>
  onClose(): void
}

/** The side panel of a person: profile, limits, keys, activity and actions. */
export function PersonPanel({ userId, teams, onClose }: PersonPanelProps) {
  const params = { params: { path: { userId } } }
  const member = useQuery(apiQuery('/v1/team/members/{userId}', params))
  const limit = useQuery(apiQuery('/v1/user-limits/{userId}', params))
  const error = member.error ?? limit.error
  const name = member.data?.name ?? userId
  return (
    <SidePanel
      open
      onClose={onClose}
      label={name}
      title={
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="truncate">{name}</span>
          {member.data && member.data.role !== 'member' && <Tag>{member.data.role}</Tag>}
          {member.data?.status === 'suspended' && (
            <span className="text-sm font-normal">
              <Status tone="bad">suspended</Status>
            </span>
          )}
        </span>
      }
    >
      {error && !(member.data && limit.data) ? (
        <ErrorState
          error={error}
          retry={() => {
            void member.refetch()
            void limit.refetch()
          }}
        />
      ) : member.data && limit.data ? (
        <PersonDetail member={member.data} limit={limit.data} teams={teams} onClose={onClose} />
      ) : (
        <PanelSkeleton />
      )}
    </SidePanel>
  )
}

const PanelSkeleton = () => (
  <div className="flex flex-col gap-6 pt-2">
    <Skeleton className="h-16" />
    <Skeleton className="h-24" />
    <Skeleton className="h-32" />
  </div>
)

interface DetailProps {
  member: Member
  limit: Limit
  teams: ReturnType<typeof useTeams>
  onClose(): void
}

function PersonDetail({ member, limit, teams, onClose }: DetailProps) {
  const isManager = useIsManager()
  const [open, setOpen] = useState<'change' | 'limits' | 'suspend' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const name = member.name ?? member.userId
  return (
    <>
      <DescriptionList>
        <DescriptionItem name="User ID">
          <code>{member.userId}</code> <CopyButton text={member.userId} />
        </DescriptionItem>
        {member.email !== null && member.email !== member.userId && (
          <DescriptionItem name="Email">{member.email}</DescriptionItem>
        )}
        <DescriptionItem name="Team">
          {member.teamId === null ? (
            <span className="text-ink-3">none</span>
          ) : (
            <Link to="/people" search={{ team: member.teamId }} className="link">
              {teams.nameOf(member.teamId)}
            </Link>
          )}
        </DescriptionItem>
        <DescriptionItem name="Role">{member.role}</DescriptionItem>
        <DescriptionItem name="Member since">
          <Time at={member.createdAt} />
        </DescriptionItem>
      </DescriptionList>
      {isManager && (
        <div className="mt-4 mb-8 flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setOpen('change')}>
            Edit
          </Button>
          <Button size="sm" onClick={() => setOpen('limits')}>
            Set limits
          </Button>
          <Menu
            align="start"
            trigger={<Button size="sm">More …</Button>}
            items={[
              {
                label: member.status === 'active' ? 'Suspend' : 'Reactivate',
                ...(member.status === 'active' && { tone: 'bad' as const }),
                onSelect: () => setOpen('suspend'),
              },
              { label: 'Remove', tone: 'bad', onSelect: () => setOpen('remove') },
            ]}
          />
        </div>
      )}
      {!isManager && <div className="mb-8" />}
      <PersonLimits member={member} limit={limit} teams={teams} />
      <PersonActivity userId={member.userId} />
      <PersonKeys userId={member.userId} />
      {open === 'change' && <PersonForm member={member} teams={teams.teams ?? []} onClose={close} />}
      {open === 'limits' && <LimitsForm limit={limit} name={name} onClose={close} />}
      {open === 'suspend' && <SuspendPerson member={member} onClose={close} />}
      {open === 'remove' && <RemovePerson member={member} onClose={close} onRemoved={onClose} />}
    </>
  )
}
