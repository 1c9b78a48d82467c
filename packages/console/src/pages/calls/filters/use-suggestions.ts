import { useQueries, useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../api'
import { nameOfOutcome } from '../../../components'
import { plural } from '../../../format'
import type { Span } from '../../../time/span'
import { nameOfCallKind } from '../../../usage-dimensions'
import { type CallsSearch, filterQuery, isTag, outcomes } from '../search'
import { type FilterKind, type FilterName, kinds, removeFilter } from './kinds'

/** A suggested kind of filter, or a filter value. */
export interface Suggestion {
  id: string
  kind: FilterKind
  /** Null suggests the kind itself; its values come next. */
  value: string | null
  text: string
  note: string
}

export interface SuggestionsOptions {
  search: CallsSearch
  span: Span
  text: string
  /** Only values of this kind; null for all kinds. */
  kind: FilterKind | null
  /** Tags of the loaded calls, because the API does not list tags. */
  tags: readonly string[]
  isOpen: boolean
  mayReadAll: boolean
}

const maxEach = 5
const maxOfKind = 50

/** Suggests values that calls in the span have, with their number of calls, and the typed text if it is a valid value. */
export function useSuggestions(options: SuggestionsOptions): { found: Suggestion[]; isLoading: boolean } {
  const { search, span, text, kind, tags, isOpen, mayReadAll } = options
  const typed = text.trim()
  const offeredKinds = kinds.filter(
    (each) => each.groupBy !== null && (kind ? each === kind : typed !== '' && !isSlowKind(each)),
  )
  const answers = useQueries({
    queries: offeredKinds.map((each) => ({
      ...apiQuery('/v1/usage', {
        params: {
          query: {
            // The filter that would be replaced does not narrow its own suggestions.
            ...filterQuery(removeFilter(search, { name: each.name, value: '' })),
            from: span.from.toISOString(),
            to: span.to.toISOString(),
            groupBy: each.groupBy ?? 'model',
          },
        },
      }),
      enabled: isOpen,
      staleTime: 60_000,
    })),
  })
  const policies = useQuery({
    ...apiQuery('/v1/policies'),
    enabled: isOpen && mayReadAll && (kind?.name === 'policyId' || typed !== ''),
    staleTime: 60_000,
  })

  const matches = (...words: (string | null | undefined)[]) =>
    words.some((word) => word?.toLowerCase().includes(typed.toLowerCase()))
  const found: Suggestion[] = []
  const add = (each: FilterKind, value: string | null, shown: string, note: string) =>
    found.push({ id: `${each.name} ${value ?? ''}`, kind: each, value, text: shown, note })

  if (kind === null) for (const each of kinds) if (matches(each.label)) add(each, null, each.label, 'filter')
  offeredKinds.forEach((each, n) => {
    const groups = answers[n]?.data?.groups ?? []
    const known = groups
      .filter(({ key, name }) => key !== null && matches(key, name, nameOfKnownValue(each, key)))
      .sort((a, b) => b.requests - a.requests)
      .slice(0, kind ? maxOfKind : maxEach)
    for (const { key, name, requests } of known)
      if (key !== null) add(each, key, nameOfKnownValue(each, key) ?? name ?? key, plural(requests, 'call'))
    if (each.name === 'outcome' && kind?.name === 'outcome')
      for (const outcome of outcomes)
        if (!groups.some(({ key }) => key === outcome) && matches(outcome, nameOfOutcome(outcome)))
          add(each, outcome, nameOfOutcome(outcome), 'no calls')
  })
  if (kind === null || kind.name === 'policyId')
    for (const { id, name } of policies.data?.data ?? [])
      if ((kind || typed !== '') && matches(id, name)) add(kindNamed('policyId'), id, name, 'policy')
  if (kind === null || kind.name === 'tags')
    for (const tag of tags)
      if ((kind || typed !== '') && matches(tag)) add(kindNamed('tags'), tag, tag, 'tag')

  for (const each of kindsAccepting(typed, kind))
    if (!found.some((one) => one.kind === each && one.value === typed))
      add(each, typed, `${each.label} ${typed}`, 'as typed')
  return { found, isLoading: answers.some(({ isLoading }) => isLoading) }
}

/** These values are aggregated from calls, which is slow, so they are loaded only on request. */
const isSlowKind = ({ name }: FilterKind) =>
  ['session', 'route', 'agent', 'cache', 'batch', 'tool'].includes(name)

/** The display name of an enumerated value. */
const nameOfKnownValue = ({ name }: FilterKind, key: string): string | null =>
  name === 'outcome' ? nameOfOutcome(key) : name === 'kind' ? nameOfCallKind(key) : null

const kindNamed = (name: FilterName) => kinds.filter((kind) => kind.name === name)[0] ?? kinds[0]

/** The kinds for which the typed text is a valid value. */
function kindsAccepting(text: string, kind: FilterKind | null): FilterKind[] {
  if (text === '') return []
  if (kind) return takes(kind.name, text) ? [kind] : []
  if (/^req_\w+$/.test(text)) return [kindNamed('requestId')]
  if (isTag(text)) return [kindNamed('tags')]
  if (takes('minCostUsd', text)) return [kindNamed('minCostUsd')]
  return [kindNamed('session'), kindNamed('model')]
}

function takes(name: FilterName, text: string): boolean {
  if (name === 'outcome' || name === 'cache' || name === 'kind') return false
  if (name === 'tags') return isTag(text)
  return name !== 'minCostUsd' || Number(text.replace(/^\$/, '')) > 0
}
