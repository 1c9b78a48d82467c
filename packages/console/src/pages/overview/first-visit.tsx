import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiQuery, baseUrl } from '../../api'
import { buttonClass, CallSnippets, Headline, Step, Steps } from '../../components'
import { useLiveEvents } from '../../layout/live-updates'
import { useIsManager } from '../../session'
import type { CreatedKey } from '../keys/form/create-key'
import { FirstCall, KeyValue } from '../keys/key-value'
import { CallResult } from './first-call-result'
import { FirstCallSnippets, FirstKeyForm } from './first-key'

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
              <FirstKeyForm onCreated={setCreated} />
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
