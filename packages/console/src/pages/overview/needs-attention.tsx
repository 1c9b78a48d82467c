import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../api'
import { buttonClass, ErrorState, Section, Skeleton } from '../../components'
import { plural } from '../../format'
import {
  CredentialItem,
  Item,
  ProviderItem,
  RecordItem,
  RequestItem,
  ToolsItem,
  WebhookItem,
} from './attention-items'
import type { Budget } from './budgets'

/** Pending decisions and problems, each with the action that resolves it. */
export function NeedsAttention({ budgets }: { budgets: readonly Budget[] }) {
  const attention = useQuery(apiQuery('/v1/attention'))
  const requests = useQuery(
    apiQuery('/v1/budgets/requests', { params: { query: { status: 'pending', limit: 5 } } }),
  )
  const { data, error } = attention
  const count = data
    ? (data.record === null ? 0 : 1) +
      data.budgetRequests.pending +
      data.tools.length +
      data.providers.length +
      data.credentials.length +
      data.webhooks.length
    : 0
  return (
    <Section title="Needs attention" note={count > 0 ? String(count) : undefined}>
      {error && !data ? (
        <ErrorState error={error} retry={() => void attention.refetch()} />
      ) : !data || !requests.data ? (
        <div className="border-t border-rule">
          {['a', 'b', 'c'].map((row) => (
            <div key={row} className="flex h-15 items-center border-b border-rule">
              <Skeleton className="h-4 w-3/4" />
            </div>
          ))}
        </div>
      ) : count === 0 ? (
        <p className="m-0 border-t border-rule py-3 text-sm text-ink-2">
          Nothing needs attention: no pending requests, no changed tools, all providers and webhooks work.
        </p>
      ) : (
        <ul className="m-0 list-none border-t border-rule p-0">
          {data.record !== null && <RecordItem />}
          {requests.data.data.map((request) => (
            <RequestItem key={request.id} request={request} budgets={budgets} />
          ))}
          {data.budgetRequests.pending > requests.data.data.length && (
            <Item
              tone="neutral"
              title={`${plural(data.budgetRequests.pending - requests.data.data.length, 'more request')}`}
            >
              <Link to="/budgets" className={buttonClass('plain', 'sm')}>
                View
              </Link>
            </Item>
          )}
          {data.tools.map((tools) => (
            <ToolsItem key={tools.serverId} tools={tools} />
          ))}
          {data.providers.map((provider) => (
            <ProviderItem key={provider.provider} provider={provider} />
          ))}
          {data.credentials.map((credential) => (
            <CredentialItem key={credential.credentialId} credential={credential} />
          ))}
          {data.webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </Section>
  )
}
