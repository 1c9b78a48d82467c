import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { CallsLink } from '../../calls-link'
import {
  Button,
  cx,
  EmptyState,
  Headline,
  SearchField,
  Section,
  Select,
  Skeleton,
  Toolbar,
} from '../../components'
import { formatUsd } from '../../format'
import { useIsManager, useSession } from '../../session'
import { OwnPage } from './own-page'
import { PeopleTable } from './people-table'
import { PersonForm } from './person/person-form'
import { PersonPanel } from './person/person-panel'
import type { PeopleSearch } from './search'
import { DeleteTeam, TeamForm } from './team-form'
import { formatWholeShare, NoTeams, TeamTable } from './team-table'
import { currentMonth, type SpendingTeam, usePeople, useTeams } from './use-people'

export default function PeoplePage() {
  const { role, userId } = useSession()
  return role === 'member' ? <OwnPage userId={userId} /> : <PeopleContent />
}

type Open =
  | { what: 'team'; team: SpendingTeam | null }
  | { what: 'delete-team'; team: SpendingTeam }
  | { what: 'person' }

/** The teams with their budgets, and the list of people. */
function PeopleContent() {
  const search: PeopleSearch = useSearch({ from: '/app/people' })
  const navigate = useNavigate({ from: '/people' })
  const isManager = useIsManager()
  const teams = useTeams()
  const people = usePeople(search)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const setSearch = (change: PeopleSearch, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const isFiltered = Boolean(search.filter || search.team || search.role || search.status)
  const newTeam = isManager && (
    <Button
      size="sm"
      icon={<Plus size={13} aria-hidden />}
      onClick={() => setOpen({ what: 'team', team: null })}
    >
      New team
    </Button>
  )
  return (
    <>
      <SpendSummary teams={teams} />
      <Section title="Teams" note="budgets per calendar month, UTC" aside={newTeam}>
        <TeamTable
          teams={teams}
          chosen={search.team}
          onChoose={({ id }) => setSearch({ team: search.team === id ? undefined : id })}
          onEdit={isManager ? (team) => setOpen({ what: 'team', team }) : undefined}
          onDelete={(team) => setOpen({ what: 'delete-team', team })}
          empty={<NoTeams action={newTeam} />}
        />
      </Section>
      {/* The number of teams is not known in advance, so the list below them waits to avoid a layout shift. */}
      <Section title="People" className={cx('mb-10', !teams.teams && !teams.error && 'invisible')}>
        <Toolbar
          actions={
            isManager && (
              <Button
                kind="primary"
                icon={<Plus size={14} aria-hidden />}
                onClick={() => setOpen({ what: 'person' })}
              >
                Add a person
              </Button>
            )
          }
        >
          <SearchField
            value={search.filter ?? ''}
            onValue={(filter) => setSearch({ filter: filter || undefined })}
            placeholder="Name, id or email"
          />
          <Select
            label="Team"
            value={search.team ?? ''}
            onValue={(team) => setSearch({ team: team || undefined })}
            choices={[
              { value: '', label: 'All teams' },
              ...(teams.teams ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <Select
            label="Role"
            value={search.role ?? ''}
            onValue={(role) => setSearch({ role: role === '' ? undefined : role })}
            choices={[
              { value: '', label: 'All roles' },
              { value: 'member', label: 'Members' },
              { value: 'auditor', label: 'Auditors' },
              { value: 'manager', label: 'Managers' },
            ]}
          />
          <Select
            label="Status"
            value={search.status ?? ''}
            onValue={(status) => setSearch({ status: status === '' ? undefined : status })}
            choices={[
              { value: '', label: 'Any status' },
              { value: 'active', label: 'Active' },
              { value: 'suspended', label: 'Suspended' },
            ]}
          />
        </Toolbar>
        <PeopleTable
          people={people}
          teamName={teams.nameOf}
          openId={search.person}
          onOpen={({ member }) => setSearch({ person: member.userId }, search.person !== undefined)}
          empty={
            isFiltered ? (
              <EmptyState
                title="No people match"
                action={
                  <Button
                    size="sm"
                    onClick={() =>
                      setSearch({ filter: undefined, team: undefined, role: undefined, status: undefined })
                    }
                  >
                    Show all people
                  </Button>
                }
              />
            ) : (
              <EmptyState title="No people yet">
                Add a person, or set one as the owner of a key. With single sign-on, people become members
                when they first sign in.
              </EmptyState>
            )
          }
        />
      </Section>
      {search.person !== undefined && (
        <PersonPanel
          key={search.person}
          userId={search.person}
          teams={teams}
          onClose={() => setSearch({ person: undefined }, false)}
        />
      )}
      {open?.what === 'team' && <TeamForm team={open.team} onClose={close} />}
      {open?.what === 'delete-team' && <DeleteTeam team={open.team} onClose={close} />}
      {open?.what === 'person' && (
        <PersonForm
          member={null}
          teams={teams.teams ?? []}
          team={search.team}
          onClose={close}
          onSaved={({ userId }) => setSearch({ person: userId }, false)}
        />
      )}
    </>
  )
}

/** States the spend of the month and the team that has used most of its budget. */
function SpendSummary({ teams }: { teams: ReturnType<typeof useTeams> }) {
  if (teams.error) return null
  if (!teams.teams || teams.total === undefined)
    return <Skeleton className="mb-6 h-18 w-[32rem] max-w-full" />
  const month = currentMonth()
  const spent = teams.teams.filter(({ share }) => share !== null && share >= 1)
  const [first] = teams.teams
  const share = first?.share ?? 0
  return (
    <Headline>
      {month.from.toLocaleString('en', { month: 'long', timeZone: 'UTC' })} so far:{' '}
      <CallsLink calls={month}>
        <b>{formatUsd(teams.total)}</b>
      </CallsLink>
      {'. '}
      {spent.length > 1 ? (
        <>
          <b>{spent.length} teams</b> have used up their budgets.
        </>
      ) : first && share >= 1 ? (
        <>
          <b>{first.name}</b> has used up its budget.
        </>
      ) : first && share > 0 ? (
        <>
          <b>{first.name}</b> has spent <b>{formatWholeShare(share)}</b> of its budget, the most of all teams.
        </>
      ) : (
        teams.teams.length > 0 && 'No team has spent anything yet.'
      )}
    </Headline>
  )
}
