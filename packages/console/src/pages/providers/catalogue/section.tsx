import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { createColumnHelper } from '@tanstack/react-table'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { apiPages } from '../../../api'
import {
  Button,
  DataTable,
  EmptyState,
  SearchField,
  Section,
  Select,
  Tag,
  Time,
  Toolbar,
  Unknown,
} from '../../../components'
import { formatCompact } from '../../../format'
import { useIsManager } from '../../../session'
import type { SectionProps } from '../search'
import { type CatalogueModel, useProviders } from '../use-providers'
import { ModelPanel } from './model-panel'
import { PriceForm } from './price-form'
import { formatRate, rateOf, sourceNames } from './prices'

const column = createColumnHelper<CatalogueModel>()
const rateColumn = (field: string, header: string, wideOnly = false) =>
  column.accessor(({ price }) => rateOf(price, field) ?? -1, {
    id: field,
    header,
    cell: ({ row: { original } }) => {
      const usd = rateOf(original.price, field)
      return usd === null ? <Unknown /> : <span className="num">{formatRate(usd)}</span>
    },
    meta: { align: 'right', wideOnly },
  })

const columns = [
  column.accessor(queryKeyOf, {
    id: 'model',
    header: 'Model',
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <code className="min-w-0 truncate" title={original.names.join('\n')}>
          <span className="text-ink-3 max-md:hidden">{original.provider}/</span>
          {original.model}
        </code>
        <span className="w-full truncate text-xs text-ink-3 md:hidden">{original.provider}</span>
        {original.source === 'tenant' && <Tag tone="accent">own price</Tag>}
      </span>
    ),
    meta: { className: 'max-w-0 w-[36%] max-md:w-[50%]' },
  }),
  rateColumn('inputUsdPerMTok', 'Input'),
  rateColumn('outputUsdPerMTok', 'Output'),
  rateColumn('cacheReadUsdPerMTok', 'Cache read', true),
  column.accessor(({ limits }) => limits.contextWindow ?? -1, {
    id: 'context',
    header: 'Context',
    cell: ({ row: { original } }) => <Tokens count={original.limits.contextWindow} />,
    meta: { align: 'right', wideOnly: true },
  }),
  column.accessor(({ limits }) => limits.maxOutputTokens ?? -1, {
    id: 'maxOutput',
    header: 'Max. output',
    cell: ({ row: { original } }) => <Tokens count={original.limits.maxOutputTokens} />,
    meta: { align: 'right', wideOnly: true },
  }),
  column.accessor('source', {
    header: 'Price',
    cell: ({ row: { original } }) => (
      <span className="text-ink-2">
        {original.price === null ? 'none yet' : sourceNames[original.source]}
        {original.upcoming && (
          <span className="text-ink-3">
            , another <Time at={original.upcoming.effectiveFrom} />
          </span>
        )}
      </span>
    ),
    meta: { className: 'pl-8', wideOnly: true },
  }),
]

function queryKeyOf({ provider, model }: CatalogueModel) {
  return `${provider}/${model}`
}

const Tokens = ({ count }: { count: number | null }) =>
  count === null ? <Unknown /> : <span className="num text-ink-2">{formatCompact(count)}</span>

/** All models with their prices. */
export function CatalogueSection({ search, onSearch }: SectionProps) {
  const isManager = useIsManager()
  const providers = useProviders()
  const [isPricing, setPricing] = useState(false)
  const list = useInfiniteQuery({
    ...apiPages('/v1/catalogue', {
      limit: 100,
      ...(search.filter && { q: search.filter }),
      ...(search.of && { provider: search.of }),
    }),
    placeholderData: keepPreviousData,
  })
  const isFiltered = search.filter !== undefined || search.of !== undefined
  const price = isManager && (
    <Button icon={<Plus size={14} aria-hidden />} onClick={() => setPricing(true)}>
      Set a price
    </Button>
  )
  return (
    <>
      <Section title="Catalogue" note="USD per million tokens, as you are charged">
        <Toolbar actions={price}>
          <SearchField
            value={search.filter ?? ''}
            onValue={(filter) => onSearch({ filter: filter || undefined })}
            placeholder="Model"
          />
          <Select
            label="Provider"
            value={search.of ?? ''}
            onValue={(of) => onSearch({ of: of || undefined })}
            choices={[
              { value: '', label: 'All providers' },
              ...(providers.rows ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        </Toolbar>
        <DataTable
          label="Models"
          columns={columns}
          rows={list.data}
          idOf={queryKeyOf}
          error={list.error}
          retry={() => void list.refetch()}
          onOpen={(model) => onSearch({ model: queryKeyOf(model) }, search.model !== undefined)}
          openId={search.model}
          sortable={!list.hasNextPage}
          more={{
            hasMore: list.hasNextPage,
            isLoading: list.isFetchingNextPage,
            load: () => void list.fetchNextPage(),
          }}
          skeletonRows={12}
          empty={
            isFiltered ? (
              <EmptyState
                title="No models match"
                action={
                  <Button size="sm" onClick={() => onSearch({ filter: undefined, of: undefined })}>
                    Show all models
                  </Button>
                }
              >
                Models without a price are not listed and cannot be called. Set a price first.
              </EmptyState>
            ) : (
              <EmptyState title="No models available" action={price}>
                Add a provider whose models have list prices, or set your own prices.
              </EmptyState>
            )
          }
        />
      </Section>
      {search.model !== undefined && (
        <ModelPanel
          key={search.model}
          name={search.model}
          known={list.data?.find((model) => queryKeyOf(model) === search.model)}
          onClose={() => onSearch({ model: undefined }, false)}
        />
      )}
      {isPricing && (
        <PriceForm
          model={null}
          provider={search.of}
          providers={providers.rows?.map(({ name }) => name) ?? []}
          onClose={() => setPricing(false)}
          onSaved={(model) => onSearch({ model: queryKeyOf(model) }, false)}
        />
      )}
    </>
  )
}
