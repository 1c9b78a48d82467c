import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, apiQuery, baseUrl, type ResponseOf } from '../../api'
import {
  Button,
  buttonClass,
  CallSnippets,
  Count,
  ErrorState,
  Field,
  Headline,
  Id,
  Input,
  Money,
  Skeleton,
  Status,
  Step,
  Steps,
  type Tone,
} from '../../components'
import { ReceiptProof } from '../../components/receipt-proof'
import { useLiveEvents } from '../../layout/live-updates'
import { useIsManager } from '../../session'
import { type CreatedKey, useCreateKey } from '../keys/form/create-key'
import { FirstCall, KeyValue } from '../keys/key-value'
import { useOwnModels } from '../keys/use-own-models'

type CallDetail = ResponseOf<'/v1/calls/{requestId}'>

/** The first steps of a new tenant: create a key, make a call, verify its receipt. */
export function FirstVisit() {
  const isManager = useIsManager()
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const latest = useQuery(apiQuery('/v1/calls', { params: { query: { limit: 1 } } }))
  useLiveEvents(({ type }) => {
    if (type === 'call') void latest.refetch()
  })
  const call = latest.data?.data[0] ?? null
  const at = call !== null ? 3 : created !== null || !isManager ? 1 : 0
  return (
    <div className="max-w-3xl">
      <Headline>
        {call === null ? (
          <>
            Make your first call and see <b>its receipt</b>.
          </>
        ) : (
          <>
            Your first call is <b>in the record</b>.
          </>
        )}
      </Headline>
      <Steps>
        <Step n={0} at={at} title={isManager ? 'Create a key' : 'Use your key'}>
          {!isManager ? (
            <p className="m-0 text-ink-2">
              Use the key that you signed in with. If you have none, a manager can create one for you.
            </p>
          ) : created === null ? (
            call === null ? (
              <FirstKey onCreated={setCreated} />
            ) : (
              <p className="m-0 text-ink-2">
                You have a key. Create more under{' '}
                <Link to="/keys" className="link">
                  Keys
                </Link>
                .
              </p>
            )
          ) : (
            <div className="flex flex-col gap-2">
              <KeyValue value={created.key} />
              <p className="m-0 text-xs text-ink-3">
                Shown once: only its hash is stored. It has no limits yet.
              </p>
            </div>
          )}
        </Step>
        <Step n={1} at={at} title="Paste this into a terminal or your code">
          {at >= 1 &&
            (created === null ? (
              <CallSnippets value={null} models={[]} />
            ) : (
              <FirstCallSnippets created={created} />
            ))}
        </Step>
        <Step n={2} at={at} title="View the call">
          {at >= 1 && (
            <FirstCall call={call} waitingFor="Waiting for the first call. It appears here when it ends." />
          )}
          {call !== null && <CallResult requestId={call.requestId} />}
        </Step>
        <Step n={3} at={at} title="Next steps" isLast>
          {at === 3 && <NextSteps isManager={isManager} />}
        </Step>
      </Steps>
    </div>
  )
}

function FirstKey({ onCreated }: { onCreated(created: CreatedKey): void }) {
  const [name, setName] = useState('first key')
  const create = useCreateKey(onCreated)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim() })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <p className="m-0 max-w-prose text-ink-2">
        Each person, job or application that makes calls has its own key, with its own limits, spend and
        calls. You can revoke each key separately.
      </p>
      <div className="flex flex-wrap items-start gap-2">
        <div className="w-64 max-w-full">
          <Field label="Name" hint="You can change this and all other settings later">
            {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
        </div>
        <Button
          type="submit"
          kind="primary"
          className="mt-5"
          isBusy={create.isPending}
          disabled={name.trim() === ''}
        >
          Create key
        </Button>
      </div>
      {create.error !== null && <ErrorState error={create.error} />}
    </form>
  )
}

/** Snippets for the first call, and a button that makes it from the browser. */
function FirstCallSnippets({ created }: { created: CreatedKey }) {
  const models = useOwnModels(created.key)
  const model = models?.[0]
  const make = useMutation({
    mutationFn: async (model: string) => {
      const response = await fetch(`${baseUrl}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' },
        credentials: 'omit',
        body: JSON.stringify({
          model,
          max_tokens: 100,
          messages: [{ role: 'user', content: 'Hello, tally!' }],
        }),
      })
      if (!response.ok) throw new ApiError(response.status, await response.json(), response.headers)
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <CallSnippets value={created.key} models={models ?? []} />
      {model !== undefined && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-ink-2">
          <Button size="sm" isBusy={make.isPending} onClick={() => make.mutate(model)}>
            Or make this call from the browser
          </Button>
          {model.startsWith('mock/') && (
            <span className="text-xs text-ink-3">
              <code>{model}</code> is a priced model inside the service; nothing leaves it.
            </span>
          )}
        </div>
      )}
      {models?.length === 0 && (
        <p className="m-0 text-warn">
          No model is available yet. Start the service with OPENAI_API_KEY or ANTHROPIC_API_KEY, or configure
          a provider.
        </p>
      )}
      {make.error !== null && <ErrorState error={make.error} />}
    </div>
  )
}

const checkTones: Record<string, Tone> = { pass: 'ok', fail: 'warn', error: 'bad', skip: 'neutral' }

/** The result of the call: its figures, its checks, and its receipt, verified in the browser. */
function CallResult({ requestId }: { requestId: string }) {
  const call = useQuery(
    apiQuery('/v1/calls/{requestId}', { params: { path: { requestId }, query: { content: false } } }),
  )
  if (call.error && !call.data) return <ErrorState error={call.error} retry={() => void call.refetch()} />
  if (!call.data) return <Skeleton className="mt-3 h-48" />
  return <CallFigures call={call.data} />
}

function CallFigures({ call }: { call: CallDetail }) {
  const checks = (call.checks ?? []).filter(({ applicable }) => applicable)
  return (
    <div className="mt-3 flex flex-col gap-4">
      <dl className="m-0 grid grid-cols-2 gap-x-6 gap-y-3 border-y border-rule py-3 sm:grid-cols-4">
        <Figure name="Cost">
          <Money usd={call.costUsd} />
        </Figure>
        <Figure name="Tokens in">
          <Count value={call.inputTokens} />
        </Figure>
        <Figure name="Tokens out">
          <Count value={call.outputTokens} />
        </Figure>
        <Figure name="Call">
          <Id id={call.requestId} className="!text-sm" />
        </Figure>
      </dl>
      <div>
        <h4 className="m-0 mb-1.5 text-xs font-medium text-ink-2">Checks</h4>
        {checks.length === 0 ? (
          <p className="m-0 text-ink-2">
            Only the key was checked. There are no limits, budgets or policies yet.
          </p>
        ) : (
          <ul className="m-0 flex list-none flex-wrap gap-x-5 gap-y-1 p-0">
            {checks.map(({ name, policyName, result }) => (
              <li key={`${name} ${policyName}`}>
                <Status tone={checkTones[result] ?? 'neutral'}>
                  {(policyName ?? name).replaceAll('_', ' ')}
                </Status>
              </li>
            ))}
          </ul>
        )}
      </div>
      <ReceiptProof call={call} />
    </div>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-xs text-ink-3">{name}</dt>
    <dd className="m-0 text-lg font-semibold">{children}</dd>
  </div>
)

const nextSteps = [
  {
    to: '/budgets',
    search: { create: true },
    title: 'Set a budget',
    description: 'Limit what may be spent per month. A blocking budget is never exceeded.',
  },
  {
    to: '/policies',
    search: {},
    title: 'Create a policy',
    description: 'Control requests and responses: models, secrets, personal data, your own rules.',
  },
  {
    to: '/people',
    search: {},
    title: 'Invite people',
    description: 'Teams and members, each with their own keys, spend and limits.',
  },
] as const

function NextSteps({ isManager }: { isManager: boolean }) {
  return (
    <div className="flex flex-col gap-5">
      {isManager && (
        <ul className="m-0 list-none border-t border-rule p-0">
          {nextSteps.map(({ to, search, title, description }) => (
            <li key={to} className="border-b border-rule">
              <Link
                to={to}
                search={search}
                className="flex flex-wrap items-baseline gap-x-4 py-2.5 text-inherit no-underline hover:bg-sunken"
              >
                <span className="w-32 font-medium text-accent">{title} →</span>
                <span className="text-ink-2">{description}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div>
        {/* A full page load, so that the overview decides again whether to show the first steps. */}
        <a href={`${baseUrl}/`} className={buttonClass('primary')}>
          Go to the overview
        </a>
      </div>
    </div>
  )
}
