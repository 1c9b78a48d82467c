import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Button, EmptyState, Headline, Section, Skeleton, useHasBeenTrue } from '../../../components'
import { plural } from '../../../format'
import { useIsManager } from '../../../session'
import type { SectionProps } from '../search'
import { type Provider, useLastDay, useProviders } from '../use-providers'
import { ProviderForm } from './provider-form'
import { ProviderPanel } from './provider-panel'
import { ProviderTable } from './provider-table'
import { isBuiltIn, stateOf } from './states'

/** The providers and their availability. */
export function ProviderSection({ search, onSearch }: SectionProps) {
  const isManager = useIsManager()
  const list = useProviders()
  const lastDay = useLastDay()
  const [isCreating, setCreating] = useState(false)
  // The summary needs both queries, so the page waits for both.
  const isKnown = useHasBeenTrue((list.rows !== undefined || list.error !== null) && !lastDay.isLoading)
  const create = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      Add a provider
    </Button>
  )
  const close = { provider: undefined, rotate: undefined, successor: undefined }
  return (
    <>
      {isKnown ? (
        list.rows && <AvailabilitySummary providers={list.rows} />
      ) : (
        <Skeleton className="mb-6 h-9 w-[28rem] max-w-full" />
      )}
      <Section title="Providers" aside={list.rows && list.rows.length > 0 && create}>
        <ProviderTable
          list={isKnown ? list : { ...list, rows: undefined }}
          lastDay={lastDay}
          openId={search.provider}
          onOpen={({ id }) => onSearch({ ...close, provider: id }, search.provider !== undefined)}
          empty={
            <EmptyState title="No providers yet" action={create}>
              A provider serves models: OpenAI, Anthropic, a cloud, or your own server. It needs a URL and a
              credential; its models can be called within a second, with every key that allows them.
            </EmptyState>
          }
        />
      </Section>
      {search.provider !== undefined && (
        <ProviderPanel
          key={search.provider}
          id={search.provider}
          lastDay={lastDay}
          search={search}
          onSearch={onSearch}
          onClose={() => onSearch(close, false)}
        />
      )}
      {isCreating && (
        <ProviderForm
          provider={null}
          onClose={() => setCreating(false)}
          onCreated={({ id }) => onSearch({ ...close, provider: id }, false)}
        />
      )}
    </>
  )
}

/** States whether all providers are available. */
function AvailabilitySummary({ providers }: { providers: readonly Provider[] }) {
  if (providers.length === 0) return null
  const enabled = providers.filter((provider) => provider.enabled)
  const failing = enabled.filter((provider) => stateOf(provider).tone === 'bad')
  const degraded = enabled.filter((provider) => stateOf(provider).tone === 'warn')
  const [first] = failing
  const [other] = degraded
  return (
    <Headline>
      {first && failing.length === 1 ? (
        <>
          <b>{first.name}</b> cannot be called: {stateOf(first).label}.
        </>
      ) : first ? (
        <>
          <b>{plural(failing.length, 'provider')}</b> cannot be called.
        </>
      ) : other && degraded.length === 1 ? (
        <>
          All are available; <b>{other.name}</b> has {stateOf(other).label}.
        </>
      ) : other ? (
        <>
          All are available; <b>{plural(degraded.length, 'provider')}</b> have unavailable credentials.
        </>
      ) : enabled.length === 0 ? (
        'Every provider is disabled: no calls are possible.'
      ) : enabled.every(isBuiltIn) ? (
        <>
          Only the <b>mock</b> of this trial can be called; its responses are made up.
        </>
      ) : enabled.every(({ credentials }) => credentials.length === 0) ? (
        <>
          <b>{plural(enabled.length, 'provider')}</b> can be called.
        </>
      ) : (
        <>
          <b>{plural(enabled.length, 'provider')}</b>, and all credentials are active.
        </>
      )}
    </Headline>
  )
}
