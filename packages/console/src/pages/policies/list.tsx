import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createColumnHelper } from '@tanstack/react-table'
import Plus from 'lucide-react/icons/plus'
import { CallsLink } from '../../calls-link'
import { Button, DataTable, EmptyState, Headline, SearchField, Section, Tag, Toolbar } from '../../components'
import { formatInteger, plural } from '../../format'
import { useIsManager } from '../../session'
import { usageQuery } from '../../usage'
import { EnabledSwitch } from './enabled-switch'
import { Hits, useWeek } from './hits'
import { kinds } from './kinds'
import { actionNames, type Policy, phaseNames, type Scope } from './policy'
import type { PoliciesSearch } from './search'
import { useScopes } from './use-scope-names'

const column = createColumnHelper<Policy>()

const columns = [
  column.accessor('name', {
    header: 'Policy',
    meta: { className: 'w-[34%] max-w-0' },
    cell: ({ row: { original } }) => (
      <span className="block min-w-0">
        <span className="block truncate font-medium text-ink">{original.name}</span>
        {original.description !== '' && (
          <span className="block truncate text-xs text-ink-3 max-md:hidden">{original.description}</span>
        )}
      </span>
    ),
  }),
  column.accessor('kind', {
    header: 'Kind',
    meta: { wideOnly: true, className: 'w-[14%]' },
    cell: ({ getValue, row }) => (
      <span className="flex items-center gap-2 whitespace-nowrap">
        {kinds[getValue()].name}
        {row.original.secretStatus === 'undecryptable' && <Tag tone="bad">no secret</Tag>}
      </span>
    ),
  }),
  column.accessor('phase', {
    header: 'Checks',
    meta: { wideOnly: true, className: 'w-[16%] text-ink-2' },
    cell: ({ getValue }) => phaseNames[getValue()],
  }),
  column.accessor('action', {
    header: 'Action',
    meta: { className: 'w-[9%]' },
    cell: ({ getValue }) => actionNames[getValue()],
  }),
  column.display({
    id: 'hits',
    header: 'Calls acted on, 7 days',
    meta: { align: 'right', wideOnly: true, className: 'w-[17%]' },
    cell: ({ row }) => <Hits policyId={row.id} />,
  }),
  column.display({
    id: 'enabled',
    header: 'Enabled',
    meta: { align: 'right', className: 'w-[10%]' },
    cell: ({ row }) => <EnabledSwitch policy={row.original} />,
  }),
]

export interface PolicyListProps {
  policies: readonly Policy[] | undefined
  error: unknown
  retry(): void
  search: PoliciesSearch
}

/** Policies grouped by scope, those of the whole tenant first. */
export function PolicyList({ policies, error, retry, search }: PolicyListProps) {
  const navigate = useNavigate({ from: '/policies' })
  const isManager = useIsManager()
  const { nameOf } = useScopes()
  const filter = search.filter?.toLowerCase() ?? ''
  const shown = policies?.filter(({ name, description, kind, scope }) =>
    [name, description, kinds[kind].name, nameOf(scope)].some((text) => text.toLowerCase().includes(filter)),
  )
  const open = (policy: string) => void navigate({ search: (now) => ({ ...now, policy }) })
  const create = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => open('new')}>
      New policy
    </Button>
  )
  const groups = shown && groupByScope(shown, nameOf)
  const table = (rows: readonly Policy[] | undefined, label: string) => (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      idOf={({ id }) => id}
      error={error}
      retry={retry}
      empty={null}
      onOpen={({ id }) => open(id)}
      isDim={({ enabled }) => !enabled}
    />
  )
  if (policies?.length === 0)
    return (
      <EmptyState title="No policies yet" action={create}>
        A policy blocks, redacts or flags requests and responses: personal data, secrets, keywords, models,
        tools. You can test it on a text before you enable it.
      </EmptyState>
    )
  return (
    <>
      <PolicySummary policies={policies} />
      <Toolbar actions={create}>
        <SearchField
          value={search.filter ?? ''}
          onValue={(value) =>
            void navigate({ search: (now) => ({ ...now, filter: value || undefined }), replace: true })
          }
          placeholder="Filter policies"
        />
      </Toolbar>
      {groups === undefined && table(undefined, 'Policies')}
      {groups?.map(({ title, note, rows }) => (
        <Section key={title} title={title} note={note}>
          {table(rows, `Policies of ${title}`)}
        </Section>
      ))}
      {groups?.length === 0 && <p className="text-sm text-ink-2">No policies match “{search.filter}”.</p>}
    </>
  )
}

function PolicySummary({ policies }: { policies: readonly Policy[] | undefined }) {
  const { from, to, timeZone } = useWeek()
  const { data } = useQuery(
    usageQuery({ from: from.toISOString(), timeZone, interval: 'week', groupBy: 'outcome' }),
  )
  const count = (outcome: string) => data?.groups.find(({ key }) => key === outcome)?.requests ?? 0
  const stopPropagation = policies?.filter(({ enabled }) => enabled).length
  const link = (outcome: 'redacted' | 'blocked') => (
    <CallsLink calls={{ from, to, filter: { outcome } }}>
      <b>{data ? formatInteger(count(outcome)) : '–'}</b>
    </CallsLink>
  )
  return (
    <Headline>
      <b>{stopPropagation === undefined ? '–' : plural(stopPropagation, 'policy', 'policies')}</b> enabled. In
      the last 7 days {link('redacted')} calls were redacted and {link('blocked')} blocked.
    </Headline>
  )
}

const order: Record<Scope['type'], number> = { tenant: 0, team: 1, user: 2, key: 3 }
const notes: Record<Scope['type'], string> = {
  tenant: 'every call of the tenant',
  team: 'calls of the team',
  user: 'calls with any of their keys',
  key: 'calls with this key',
}

function groupByScope(policies: readonly Policy[], nameOf: (scope: Scope) => string) {
  const groups = new Map<string, { scope: Scope; rows: Policy[] }>()
  for (const policy of policies) {
    const key = `${policy.scope.type} ${policy.scope.id}`
    const group = groups.get(key) ?? { scope: policy.scope, rows: [] }
    group.rows.push(policy)
    groups.set(key, group)
  }
  return [...groups.values()]
    .map(({ scope, rows }) => ({ type: scope.type, title: nameOf(scope), note: notes[scope.type], rows }))
    .sort((a, b) => order[a.type] - order[b.type] || a.title.localeCompare(b.title))
}
