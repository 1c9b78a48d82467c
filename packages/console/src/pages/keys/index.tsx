import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useMemo } from 'react'
import { CallsLink } from '../../calls-link'
import { Button, EmptyState, Headline, Money, SearchField, Select, Skeleton, Toolbar } from '../../components'
import { plural } from '../../format'
import { useIsManager, useSession } from '../../session'
import { CreateKey } from './form/create-key'
import { KeyPanel } from './key-panel'
import { KeyTable } from './key-table'
import type { KeyStatus, KeysSearch } from './search'
import { useKeys, useMonth, useMonthByKey, useNames } from './use-keys'

const statusChoices: { value: KeyStatus | ''; label: string }[] = [
  { value: '', label: 'All keys' },
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
]

export default function KeysPage() {
  const search = useSearch({ from: '/app/keys' })
  const navigate = useNavigate({ from: '/keys' })
  const isManager = useIsManager()
  const isMember = useSession().role === 'member'
  const month = useMonth()
  const spend = useMonthByKey(month)
  const keys = useKeys(search)
  const { nameOfTeam, personName } = useNames()
  const setSearch = (change: Partial<KeysSearch>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const rows = useMemo(
    () =>
      keys.data?.map((key) => ({
        ...key,
        ownerName: key.userId === null ? null : personName(key.userId),
        teamName: nameOfTeam(key),
        isOwnersTeam: key.teamId === null,
        spentUsd: spend.spentBy(key.id),
      })),
    [keys.data, personName, nameOfTeam, spend.spentBy],
  )
  const isFiltered = search.filter !== undefined || search.status !== undefined
  return (
    <>
      <Headline>
        {spend.totals === undefined ? (
          <Skeleton className="h-8 w-96 max-w-full" />
        ) : spend.totals.requests === 0 ? (
          'No calls this month.'
        ) : (
          <>
            {isMember ? 'You' : 'All keys'} spent{' '}
            <CallsLink calls={month}>
              <b>
                <Money usd={spend.totals.spendUsd} />
              </b>
            </CallsLink>{' '}
            this month, in{' '}
            <CallsLink calls={month}>
              <b>{plural(spend.totals.requests, 'call')}</b>
            </CallsLink>
            .
          </>
        )}
      </Headline>
      <Toolbar
        actions={
          isManager && (
            <Button
              kind="primary"
              icon={<Plus size={14} aria-hidden />}
              onClick={() => setSearch({ create: true })}
            >
              New key
            </Button>
          )
        }
      >
        <SearchField
          value={search.filter ?? ''}
          onValue={(filter) => setSearch({ filter: filter || undefined }, true)}
          placeholder="Filter keys"
        />
        <Select
          label="Status"
          value={search.status ?? ''}
          onValue={(status) => setSearch({ status: status || undefined }, true)}
          choices={statusChoices}
        />
      </Toolbar>
      <KeyTable
        month={month}
        isOwn={isMember}
        rows={rows}
        error={keys.error}
        retry={() => void keys.refetch()}
        sortable={!keys.hasNextPage}
        onOpen={({ id }) => setSearch({ key: id, successor: undefined })}
        openId={search.key}
        more={{
          hasMore: keys.hasNextPage,
          isLoading: keys.isFetchingNextPage,
          load: () => void keys.fetchNextPage(),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              title="No keys match"
              action={
                <Button onClick={() => setSearch({ filter: undefined, status: undefined })}>
                  Show all keys
                </Button>
              }
            />
          ) : (
            <EmptyState
              title="No keys yet"
              action={
                isManager && (
                  <Button kind="primary" onClick={() => setSearch({ create: true })}>
                    Create a key
                  </Button>
                )
              }
            >
              {isManager
                ? 'Each person, job or application that makes calls has its own key, with its own limits, spend and calls.'
                : 'You have no key yet. A manager can create one for you.'}
            </EmptyState>
          )
        }
      />
      {search.key !== undefined && (
        <KeyPanel
          key={search.key}
          keyId={search.key}
          successorId={search.successor}
          onSuccessor={(successor) => setSearch({ successor }, true)}
          onClose={() => setSearch({ key: undefined, successor: undefined })}
        />
      )}
      {isManager && (
        <CreateKey open={search.create === true} onClose={() => setSearch({ create: undefined })} />
      )}
    </>
  )
}
