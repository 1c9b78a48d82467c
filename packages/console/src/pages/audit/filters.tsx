import { useInfiniteQuery } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { apiPages } from '../../api'
import { IconButton, Select, Toolbar } from '../../components'
import type { AuditSearch } from './search'

/** The kinds of subjects, and frequent actions. */
const actions = [
  ['', 'All changes'],
  ['key.*', 'Keys'],
  ['key.revoke', '· revoked keys'],
  ['member.*', 'Members'],
  ['member.change_role', '· changed roles'],
  ['user_limit.*', 'Limits of people'],
  ['team.*', 'Teams'],
  ['budget.*', 'Budgets'],
  ['budget_request.*', 'Budget requests'],
  ['policy.*', 'Policies'],
  ['prompt.*', 'Prompts'],
  ['mcp_server.*', 'MCP servers'],
  ['mcp_tool.*', 'Approvals of tools'],
  ['webhook_endpoint.*', 'Webhooks'],
  ['sink.*', 'Sinks'],
  ['content.read', 'Access to call content'],
  ['content_capture.*', 'Content capture'],
  ['erasure.*', 'Erasures'],
  ['pack.*', 'Compliance packs'],
  ['receipt.*', 'Corrected costs'],
] as const

interface FiltersProps {
  search: AuditSearch
  onSearch(change: AuditSearch): void
}

export function Filters({ search, onSearch }: FiltersProps) {
  const people = useInfiniteQuery(apiPages('/v1/team/members', { limit: 200 }))
  const managers = (people.data ?? []).filter(
    ({ role, userId }) => role === 'manager' || userId === search.userId,
  )
  const actor =
    search.userId !== undefined
      ? `user ${search.userId}`
      : search.actorId !== undefined
        ? `actor ${search.actorId}`
        : ''
  const known = ['', 'actor operator', ...managers.map(({ userId }) => `user ${userId}`)]
  const choices = [
    { value: '', label: 'By anyone' },
    { value: 'actor operator', label: 'By the operator' },
    ...managers.map(({ userId, name }) => ({ value: `user ${userId}`, label: `By ${name ?? userId}` })),
    ...(known.includes(actor) ? [] : [{ value: actor, label: `By ${search.userId ?? search.actorId}` }]),
  ]
  const isListed = actions.some(([value]) => value === (search.action ?? ''))
  return (
    <Toolbar>
      <Select
        label="Who"
        value={actor}
        onValue={(value) =>
          onSearch({
            userId: value.startsWith('user ') ? value.slice(5) : undefined,
            actorId: value.startsWith('actor ') ? value.slice(6) : undefined,
          })
        }
        choices={choices}
      />
      <Select
        label="What"
        value={search.action ?? ''}
        onValue={(action) => onSearch({ action: action || undefined })}
        choices={[
          ...actions.map(([value, label]) => ({ value, label })),
          ...(isListed || !search.action ? [] : [{ value: search.action, label: search.action }]),
        ]}
      />
      {search.subjectId !== undefined && (
        <span className="inline-flex h-8 items-center gap-1 rounded-md border border-accent bg-accent-soft pr-1 pl-2.5 text-sm">
          <span className="text-ink-2">of</span>
          <code className="max-w-48 truncate">{search.subjectId}</code>
          <IconButton label="Show all" className="!size-6" onClick={() => onSearch({ subjectId: undefined })}>
            <X size={13} aria-hidden />
          </IconButton>
        </span>
      )}
    </Toolbar>
  )
}
