import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { apiQuery } from '../../api'
import { CallsLink } from '../../calls-link'
import {
  Button,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Id,
  Money,
  Section,
  SidePanel,
  Skeleton,
  Tag,
  Time,
} from '../../components'
import { plural } from '../../format'
import { useIsManager } from '../../session'
import { SpendChart } from '../../spend-chart'
import { spanOf } from '../../time/span'
import { useTimeZone } from '../../time/use-span'
import { AllowedTools } from '../../tool-list'
import { usageQuery } from '../../usage'
import type { CreatedKey } from './form/create-key'
import { EditKey } from './form/edit-key'
import { KeyLimits } from './key-limits'
import { KeyStatus } from './key-table'
import { RecentCalls } from './recent-calls'
import { RevokeKey } from './revoke-key'
import { RotateKey } from './rotate-key'
import { type Key, useNames } from './use-keys'

export interface KeyPanelProps {
  keyId: string
  successorId: string | undefined
  onSuccessor(id: string | undefined): void
  onClose(): void
}

/** The side panel of a key: settings, limits, spend and actions. */
export function KeyPanel({ keyId, successorId, onSuccessor, onClose }: KeyPanelProps) {
  const key = useQuery(apiQuery('/v1/keys/{id}', { params: { path: { id: keyId } } }))
  const [isRotating, setRotating] = useState(successorId !== undefined)
  // The value is kept while the panel is open, across the steps of the rotation.
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const endRotation = () => {
    setRotating(false)
    setCreated(null)
    onSuccessor(undefined)
  }
  return (
    <SidePanel
      open
      onClose={onClose}
      label={key.data ? `Key ${key.data.name}` : 'Key'}
      title={
        key.data ? (
          <span className="flex flex-wrap items-baseline gap-x-3">
            <span className="min-w-0 break-words">{key.data.name}</span>
            <span className="text-sm font-normal">
              <KeyStatus status={key.data.status} />
            </span>
          </span>
        ) : (
          'Key'
        )
      }
    >
      {key.error && !key.data ? (
        <ErrorState error={key.error} retry={() => void key.refetch()} />
      ) : !key.data ? (
        <Skeleton className="h-64" />
      ) : isRotating ? (
        <RotateKey
          subject={key.data}
          successorId={successorId ?? null}
          created={created}
          onCreated={(newKey) => {
            setCreated(newKey)
            onSuccessor(newKey.id)
          }}
          onEnd={endRotation}
        />
      ) : (
        <KeyDetails subject={key.data} onRotate={() => setRotating(true)} />
      )}
    </SidePanel>
  )
}

function KeyDetails({ subject, onRotate }: { subject: Key; onRotate(): void }) {
  const isManager = useIsManager()
  const [openDialog, setOpenDialog] = useState<'edit' | 'revoke' | null>(null)
  const close = () => setOpenDialog(null)
  return (
    <>
      <p className="m-0 mb-4 flex flex-wrap items-center gap-x-3 text-xs text-ink-3">
        <Id id={subject.id} />
        <span>
          ends in <code>{subject.hint}</code>
        </span>
      </p>
      {isManager && subject.status !== 'revoked' && (
        <div className="mb-6 flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setOpenDialog('edit')}>
            Edit
          </Button>
          {subject.status === 'active' && (
            <Button size="sm" onClick={onRotate}>
              Rotate
            </Button>
          )}
          <Button size="sm" kind="danger" onClick={() => setOpenDialog('revoke')}>
            Revoke
          </Button>
        </div>
      )}
      <KeyFacts subject={subject} />
      <KeyLimits subject={subject} />
      <KeySpend keyId={subject.id} />
      <Section
        title="Recent calls"
        aside={
          <Link to="/calls" search={{ keyId: subject.id }} className="link">
            all calls →
          </Link>
        }
      >
        <RecentCalls keyId={subject.id} />
      </Section>
      {openDialog === 'edit' && <EditKey subject={subject} onClose={close} />}
      {openDialog === 'revoke' && <RevokeKey subject={subject} onClose={close} />}
    </>
  )
}

function KeyFacts({ subject }: { subject: Key }) {
  const { nameOfTeam, personName } = useNames()
  const team = nameOfTeam(subject)
  const tags = Object.entries(subject.metadata)
  return (
    <div className="mb-8">
      <DescriptionList>
        <DescriptionItem name="Owner">
          {subject.userId === null ? (
            <span className="text-ink-3">none</span>
          ) : (
            <Link to="/people" search={{ person: subject.userId }} className="link">
              {personName(subject.userId)}
            </Link>
          )}
        </DescriptionItem>
        <DescriptionItem name="Team">
          {team ?? <span className="text-ink-3">none</span>}
          {subject.teamId === null && team !== null && <span className="text-ink-3"> from its owner</span>}
        </DescriptionItem>
        <DescriptionItem name="Role">{subject.role}</DescriptionItem>
        <DescriptionItem name="Models">
          {subject.allowedModels === null ? (
            'all'
          ) : subject.allowedModels.length === 0 ? (
            'none: it can call no model'
          ) : (
            <code>{subject.allowedModels.join(', ')}</code>
          )}
        </DescriptionItem>
        <DescriptionItem name="Tools">
          <AllowedTools tools={subject.allowedTools} />
        </DescriptionItem>
        {tags.length > 0 && (
          <DescriptionItem name="Tags">
            <span className="flex flex-wrap gap-1">
              {tags.map(([name, value]) => (
                <Tag key={name}>
                  {name}={value}
                </Tag>
              ))}
            </span>
          </DescriptionItem>
        )}
        <DescriptionItem name="Last used">
          {subject.lastUsedAt === null ? (
            <span className="text-ink-3">never</span>
          ) : (
            <Time at={subject.lastUsedAt} />
          )}
        </DescriptionItem>
        <DescriptionItem name="Created">
          <Time at={subject.createdAt} />
        </DescriptionItem>
        {subject.expiresAt !== null && (
          <DescriptionItem name={subject.status === 'expired' ? 'Expired' : 'Expires'}>
            <Time at={subject.expiresAt} />
          </DescriptionItem>
        )}
        {subject.revokedAt !== null && (
          <DescriptionItem name="Revoked">
            <Time at={subject.revokedAt} />
          </DescriptionItem>
        )}
      </DescriptionList>
    </div>
  )
}

/** Spend by day in the last 30 days. */
function KeySpend({ keyId }: { keyId: string }) {
  const timeZone = useTimeZone()
  const minute = Math.floor(Date.now() / 60_000)
  const span = useMemo(() => spanOf('30d', new Date(minute * 60_000), timeZone), [minute, timeZone])
  const from = span.from.toISOString()
  const usage = useQuery(usageQuery({ keyId, from, interval: 'day', timeZone }))
  const totals = usage.data?.totals
  const calls = { ...span, filter: { keyId } }
  return (
    <Section
      title="Spend, 30 days"
      note={
        totals && (
          <CallsLink calls={calls}>
            <Money usd={totals.spendUsd} /> in {plural(totals.requests, 'call')}
          </CallsLink>
        )
      }
      aside={
        totals !== undefined &&
        totals.rateLimited > 0 && (
          <span className="text-xs text-warn" title="Rejected by a rate limit; these leave no receipt">
            {plural(totals.rateLimited, 'call')} rate limited
          </span>
        )
      }
    >
      <SpendChart filter={{ keyId }} {...span} interval="day" timeZone={timeZone} />
    </Section>
  )
}
