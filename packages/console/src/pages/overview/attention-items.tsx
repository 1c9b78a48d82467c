import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, baseUrl, expectSuccess, type ResponseOf } from '../../api'
import { CallsLink } from '../../calls-link'
import { Button, buttonClass, Dot, notify, notifyError, Time, type Tone } from '../../components'
import { formatUsd, plural } from '../../format'
import { useIsManager } from '../../session'
import type { Budget } from './budgets'

type Attention = ResponseOf<'/v1/attention'>

type Request = ResponseOf<'/v1/budgets/requests'>['data'][number]

interface ItemProps {
  tone: Tone
  title: ReactNode
  detail?: ReactNode
  children: ReactNode
}

export const Item = ({ tone, title, detail, children }: ItemProps) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-rule py-2.5 text-sm">
    <span className="flex min-w-0 flex-1 basis-44 gap-2.5">
      <span className="flex h-5 items-center">
        <Dot tone={tone} />
      </span>
      <span className="min-w-0">
        <span className="block">{title}</span>
        {detail && <span className="line-clamp-2 text-xs text-ink-3">{detail}</span>}
      </span>
    </span>
    <span className="ml-auto flex gap-2">{children}</span>
  </li>
)

/** A restored database. Only an operator can accept it, on the command line. */
export const RecordItem = () => (
  <Item
    tone="bad"
    title={
      <>
        <b className="font-semibold">The record is not signed:</b> the database lacks entries that it had.
        Calls get 503 until an operator runs <code>tallystick record accept-restore</code>
      </>
    }
  >
    <a
      href={`${baseUrl}/docs/operate/backup.html#accept-a-restore`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass('plain', 'sm')}
    >
      What to do
    </a>
  </Item>
)

export function RequestItem({ request, budgets }: { request: Request; budgets: readonly Budget[] }) {
  const isManager = useIsManager()
  const queries = useQueryClient()
  const name = budgets.find(({ id }) => id === request.budgetId)?.name
  const requester = request.requestedBy.userId ?? 'a key without an owner'
  const decide = useMutation({
    mutationFn: async (decision: 'approve' | 'deny') => {
      const init = { params: { path: { id: request.id } } }
      if (decision === 'approve')
        await expectSuccess(api.POST('/v1/budgets/requests/{id}/approve', { ...init, body: {} }))
      else await expectSuccess(api.POST('/v1/budgets/requests/{id}/deny', init))
    },
    onSuccess: (_, decision) =>
      notify(
        decision === 'approve'
          ? `${formatUsd(request.amountUsd)} granted to ${requester}`
          : `Request by ${requester} denied`,
      ),
    onError: (error) => notifyError('Request not changed', error),
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) =>
          ['/v1/attention', '/v1/budgets', '/v1/budgets/requests'].includes(String(queryKey[0])),
      }),
  })
  return (
    <Item
      tone="warn"
      title={
        <>
          <b className="font-semibold">{requester}</b> requested{' '}
          {formatUsd(request.amountUsd).replace(/\.00$/, '')} more
          {name && (
            <>
              {' '}
              for{' '}
              <Link to="/budgets" className="text-inherit">
                {name}
              </Link>
            </>
          )}
        </>
      }
      detail={
        <>
          “{request.reason}” · <Time at={request.createdAt} />
        </>
      }
    >
      {isManager ? (
        <>
          <Button size="sm" onClick={() => decide.mutate('deny')} disabled={decide.isPending}>
            Deny
          </Button>
          <Button size="sm" kind="primary" onClick={() => decide.mutate('approve')} isBusy={decide.isPending}>
            Approve
          </Button>
        </>
      ) : (
        <Link to="/budgets" className={buttonClass('plain', 'sm')}>
          View
        </Link>
      )}
    </Item>
  )
}

export function ToolsItem({ tools }: { tools: Attention['tools'][number] }) {
  const { serverId, serverName, changed, oldestAt } = tools
  const sum = changed + tools.new
  return (
    <Item
      tone="warn"
      title={
        <>
          {plural(sum, 'tool')} of <b className="font-semibold">{serverName}</b>{' '}
          {sum === 1 ? 'needs' : 'need'} approval
        </>
      }
      detail={
        <>
          {[changed > 0 && `${changed} changed`, tools.new > 0 && `${tools.new} new`]
            .filter(Boolean)
            .join(', ')}{' '}
          · <Time at={oldestAt} />
        </>
      }
    >
      <Link to="/tools" search={{ server: serverId }} className={buttonClass('plain', 'sm')}>
        Review
      </Link>
    </Item>
  )
}

export function ProviderItem({ provider }: { provider: Attention['providers'][number] }) {
  const to = new Date()
  const from = new Date(to.getTime() - 15 * 60_000)
  return (
    <Item
      tone="bad"
      title={
        <>
          <b className="font-semibold">{provider.provider}</b> is failing
        </>
      }
      detail={
        <>
          {provider.failed} of {plural(provider.calls, 'call')} in 15 minutes, most recently{' '}
          <Time at={provider.lastFailedAt} />
        </>
      }
    >
      <CallsLink
        calls={{ from, to, filter: { provider: provider.provider, outcome: 'upstream_error' } }}
        className={buttonClass('plain', 'sm')}
      >
        View calls
      </CallsLink>
    </Item>
  )
}

export function CredentialItem({ credential }: { credential: Attention['credentials'][number] }) {
  const { providerName, providerId, state, message, at } = credential
  return (
    <Item
      tone="bad"
      title={
        <>
          A credential of <b className="font-semibold">{providerName}</b>{' '}
          {state === 'refused' ? 'is rejected' : 'cannot be decrypted'}
        </>
      }
      detail={
        <>
          {message}
          {at !== null && (
            <>
              {' '}
              · <Time at={at} />
            </>
          )}
        </>
      }
    >
      <Link to="/providers" search={{ provider: providerId }} className={buttonClass('plain', 'sm')}>
        View
      </Link>
    </Item>
  )
}

export function WebhookItem({ webhook }: { webhook: Attention['webhooks'][number] }) {
  const isDead = webhook.dead > 0
  return (
    <Item
      tone={isDead ? 'bad' : 'neutral'}
      title={
        <>
          {isDead ? `${plural(webhook.dead, 'delivery', 'deliveries')} to ` : 'Deliveries to '}
          <b className="font-semibold">{webhook.name}</b>
          {isDead ? ' failed' : ' failed and will be retried'}
        </>
      }
      detail={
        <>
          {webhook.lastError ?? (webhook.enabled ? 'no response' : 'the endpoint is disabled')}
          {webhook.lastAttemptAt && (
            <>
              {' '}
              · <Time at={webhook.lastAttemptAt} />
            </>
          )}
        </>
      }
    >
      <Link to="/webhooks" className={buttonClass('plain', 'sm')}>
        View
      </Link>
    </Item>
  )
}
