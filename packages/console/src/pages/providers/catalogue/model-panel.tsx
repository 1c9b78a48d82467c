import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../../api'
import {
  Button,
  Confirm,
  CopyButton,
  DescriptionItem,
  DescriptionList,
  EmptyState,
  ErrorState,
  notify,
  Section,
  SidePanel,
  Skeleton,
  Time,
} from '../../../components'
import { formatInteger, plural } from '../../../format'
import { useIsManager } from '../../../session'
import { type CatalogueModel, useRefresh } from '../use-providers'
import { PriceForm } from './price-form'
import { formatRate, otherPriceParts, rateOf, rates, sourceNames } from './prices'

interface ModelPanelProps {
  /** `provider/model`. */
  name: string
  /** The model, if the list has loaded it. */
  known: CatalogueModel | undefined
  onClose(): void
}

/** The side panel of a model: names, inputs, limits and its whole price. */
export function ModelPanel({ name, known, onClose }: ModelPanelProps) {
  const slash = name.indexOf('/')
  const provider = name.slice(0, slash)
  const found = useQuery({
    ...apiQuery('/v1/catalogue', { params: { query: { provider, q: name, limit: 200 } } }),
    enabled: known === undefined,
  })
  const model =
    known ??
    found.data?.data.find((each) => each.provider === provider && each.model === name.slice(slash + 1))
  return (
    <SidePanel
      open
      onClose={onClose}
      label={name}
      title={<code className="block !text-base break-all">{name}</code>}
    >
      {model ? (
        <Detail model={model} onClose={onClose} />
      ) : found.error ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : found.data ? (
        <EmptyState title="Model not found">
          It has no price, or its provider was deleted or disabled.
        </EmptyState>
      ) : (
        <Skeleton className="h-40" />
      )}
    </SidePanel>
  )
}

function Detail({ model, onClose }: { model: CatalogueModel; onClose(): void }) {
  const isManager = useIsManager()
  const [open, setOpen] = useState<'set' | 'remove' | null>(null)
  const { limits, capabilities, price, upcoming } = model
  const isOwn = model.source === 'tenant' || upcoming !== null
  const inputs = [
    'text',
    ...(capabilities.images ? ['images'] : []),
    ...(capabilities.audio ? ['audio'] : []),
  ].join(', ')
  return (
    <>
      <DescriptionList>
        <DescriptionItem name="Model name">
          {model.names.map((each) => (
            <span key={each} className="flex items-start gap-2">
              <code className="min-w-0 break-all">{each}</code>
              <CopyButton text={each} />
            </span>
          ))}
        </DescriptionItem>
        <DescriptionItem name="Inputs">{inputs}</DescriptionItem>
        <DescriptionItem name="Context">
          {limits.contextWindow === null ? 'unknown' : `${formatInteger(limits.contextWindow)} tokens`}
        </DescriptionItem>
        <DescriptionItem name="Output">
          {limits.maxOutputTokens === null
            ? 'unknown'
            : `at most ${formatInteger(limits.maxOutputTokens)} tokens`}
        </DescriptionItem>
        <DescriptionItem name="Endpoints">
          <span className="flex flex-wrap gap-x-2">
            {capabilities.endpoints.map((endpoint) => (
              <code key={endpoint}>{endpoint}</code>
            ))}
          </span>
        </DescriptionItem>
      </DescriptionList>
      <Section
        title="Price"
        note={
          price === null
            ? undefined
            : model.effectiveFrom === null
              ? `USD per million tokens, ${sourceNames[model.source]}`
              : 'USD per million tokens, your own'
        }
        className="mt-8 mb-6"
      >
        {price === null ? (
          <p className="m-0 border-t border-rule py-2 text-sm text-ink-2">
            None yet: it cannot be called until its first price takes effect.
          </p>
        ) : (
          <PriceTable price={price} />
        )}
        {model.effectiveFrom !== null && (
          <p className="m-0 mt-2 text-xs text-ink-3">
            In effect since <Time at={model.effectiveFrom} />. Earlier calls keep their price.
          </p>
        )}
      </Section>
      {upcoming && (
        <Section
          title="Scheduled"
          note={
            <>
              effective <Time at={upcoming.effectiveFrom} />
            </>
          }
          className="mb-6"
        >
          <PriceTable price={upcoming.price} />
        </Section>
      )}
      {isManager && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" kind="primary" onClick={() => setOpen('set')}>
            {isOwn ? 'Edit price' : 'Set your own price'}
          </Button>
          {isOwn && (
            <Button size="sm" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          )}
        </div>
      )}
      {open === 'set' && <PriceForm model={model} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemovePrice model={model} onClose={() => setOpen(null)} onRemoved={onClose} />}
    </>
  )
}

/** The rates, and behind a disclosure the rest: fees of tools, tiers, rates by input length. */
function PriceTable({ price }: { price: NonNullable<CatalogueModel['price']> }) {
  const main = rates.flatMap(({ field, name }) => {
    const usd = rateOf(price, field)
    return usd === null ? [] : [{ name, text: formatRate(usd) }]
  })
  const others = otherPriceParts(price)
  return (
    <>
      <PriceRows rows={main} />
      {others.length > 0 && (
        <details>
          <summary className="cursor-pointer py-2 text-xs font-medium text-ink-2 hover:text-ink">
            {plural(others.length, 'further price')}: fees, tiers, long inputs
          </summary>
          <PriceRows rows={others} />
        </details>
      )}
    </>
  )
}

const PriceRows = ({ rows }: { rows: readonly { name: string; text: string }[] }) => (
  <table className="w-full border-collapse border-t border-rule text-sm">
    <tbody>
      {rows.map(({ name, text }) => (
        <tr key={name} className="border-b border-rule">
          <th scope="row" className="py-1.5 text-left font-normal text-ink-2">
            {name}
          </th>
          <td className="num py-1.5 text-right">{text}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

interface RemovePriceProps {
  model: CatalogueModel
  onClose(): void
  onRemoved(): void
}

function RemovePrice({ model: { provider, model }, onClose, onRemoved }: RemovePriceProps) {
  const refresh = useRefresh()
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.DELETE('/v1/catalogue/{provider}/{model}', { params: { path: { provider, model } } }),
      ),
    async onSuccess() {
      await refresh()
      notify(`Your price of ${model} removed`)
      onClose()
      onRemoved()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Remove your price of “${model}”?`}
      action="Remove price"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    >
      <p className="m-0">
        Calls are charged at the price of the operator or the list price; a model with neither cannot be
        called. A scheduled price is removed too. Earlier calls keep their price.
      </p>
      {remove.error && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
