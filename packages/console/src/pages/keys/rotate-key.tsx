import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../../api'
import { ChartSkeleton, otherPaint, paintOf, TimeSeries } from '../../charts'
import {
  Button,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Id,
  Step,
  Steps,
  useNow,
} from '../../components'
import { formatInteger, formatRelative } from '../../format'
import { useTimeZone } from '../../time/use-span'
import { usageQuery } from '../../usage'
import { type CreatedKey, useCreateKey } from './form/create-key'
import { toBody, toDraft } from './form/key-draft'
import { FirstCall, KeyValue, OwnSnippets } from './key-value'
import { RevokeKey } from './revoke-key'
import type { Key } from './use-keys'
import { useLatestCall } from './use-latest-call'

export interface RotateKeyProps {
  subject: Key
  /** The ID of the new key, once it was created. It is in the URL, so that a reload keeps the progress. */
  successorId: string | null
  /** The new key with its value, while the panel stays open. */
  created: CreatedKey | null
  onCreated(created: CreatedKey): void
  onEnd(): void
}

const quietMs = 5 * 60_000

/** Replaces a key without failing calls. Each step completes when calls show that it worked. */
export function RotateKey({ subject, successorId, created, onCreated, onEnd }: RotateKeyProps) {
  const [isRevoking, setRevoking] = useState(false)
  const successor = useQuery({
    ...apiQuery('/v1/keys/{id}', { params: { path: { id: successorId ?? '' } } }),
    enabled: successorId !== null,
  })
  const since = successor.data?.createdAt ?? created?.createdAt ?? subject.createdAt
  const firstCall = useLatestCall(successorId ?? 'none', since)
  const lastOldCall = useLatestCall(subject.id, since)
  const now = useNow()
  const isOldQuiet =
    firstCall !== null &&
    now.getTime() - Math.max(Date.parse(lastOldCall?.ts ?? since), Date.parse(since)) > quietMs
  const isRevoked = subject.status === 'revoked'
  const at = isRevoked ? 4 : successorId === null ? 0 : firstCall === null ? 1 : isOldQuiet ? 3 : 2
  return (
    <>
      <p className="m-0 mb-5 text-sm text-ink-2">
        A new key with the same settings replaces this one. Both work until you revoke the old key, so no call
        fails. You can reload or share this page without losing your progress.
      </p>
      <Steps>
        <Step n={0} at={at} title="Create a key with the same settings">
          {successorId === null ? (
            <CreateSuccessor subject={subject} onCreated={onCreated} />
          ) : (
            successor.data && (
              <p className="m-0 text-ink-2">
                “{successor.data.name}”, ends in <code>{successor.data.hint}</code> ·{' '}
                <Id id={successor.data.id} />
              </p>
            )
          )}
        </Step>
        <Step n={1} at={at} title="Replace the old key in your application">
          {successorId !== null && (
            <div className="flex flex-col gap-4">
              {created?.id === successorId ? (
                <>
                  <KeyValue value={created.key} />
                  <p className="m-0 text-xs text-ink-3">
                    Shown once, while this panel is open. Only its hash is stored.
                  </p>
                  {firstCall === null && <OwnSnippets value={created.key} />}
                </>
              ) : (
                firstCall === null && (
                  <p className="m-0 text-ink-2">
                    Its value was shown when it was created. If you do not have it, revoke that key and rotate
                    again.
                  </p>
                )
              )}
              <FirstCall call={firstCall} waitingFor="Waiting for the first call with the new key …" />
            </div>
          )}
        </Step>
        <Step n={2} at={at} title="Wait until the old key is no longer used">
          {at >= 2 && successorId !== null && (
            <>
              <CallsByMinute oldId={subject.id} newId={successorId} />
              <p className="m-0 mt-2 text-ink-2" role="status">
                {lastOldCall === null
                  ? 'The old key made no calls since the new one was created.'
                  : `The last call with the old key was ${formatRelative(new Date(lastOldCall.ts), now)}.`}
                {!isOldQuiet &&
                  !isRevoked &&
                  ' After five minutes without calls it counts as unused; jobs that run rarely may need longer.'}
              </p>
            </>
          )}
        </Step>
        <Step n={3} at={at} title="Revoke the old key" isLast>
          {at >= 2 && !isRevoked && (
            <Button kind={isOldQuiet ? 'primary' : 'danger'} onClick={() => setRevoking(true)}>
              {isOldQuiet ? `Revoke the old “${subject.name}”` : 'Revoke without waiting'}
            </Button>
          )}
          {isRevoked && <p className="m-0 text-ink-2">Done: only the new key works.</p>}
        </Step>
      </Steps>
      <div className="mt-6 border-t border-rule pt-4">
        <Button onClick={onEnd}>
          {isRevoked ? 'Close' : successorId === null ? 'Cancel' : 'Continue later'}
        </Button>
      </div>
      {isRevoking && <RevokeKey subject={subject} onClose={() => setRevoking(false)} />}
    </>
  )
}

function CreateSuccessor({ subject, onCreated }: { subject: Key; onCreated(created: CreatedKey): void }) {
  const create = useCreateKey(onCreated)
  const limits = [
    subject.rpmLimit !== null && `${formatInteger(subject.rpmLimit)} requests a minute`,
    subject.tpmLimit !== null && `${formatInteger(subject.tpmLimit)} tokens a minute`,
  ].filter(Boolean)
  // A past expiry is rejected by the API; expired keys cannot be rotated anyway.
  return (
    <div className="flex flex-col items-start gap-3">
      <DescriptionList>
        <DescriptionItem name="Name">{subject.name}</DescriptionItem>
        <DescriptionItem name="Limits">{limits.length === 0 ? 'none' : limits.join(', ')}</DescriptionItem>
        <DescriptionItem name="Models">
          {subject.allowedModels === null ? 'all' : <code>{subject.allowedModels.join(', ') || 'none'}</code>}
        </DescriptionItem>
      </DescriptionList>
      <Button
        kind="primary"
        isBusy={create.isPending}
        onClick={() => create.mutate({ ...toBody(toDraft(subject)), expiresAt: subject.expiresAt })}
      >
        Create the new key
      </Button>
      {create.error !== null && <ErrorState error={create.error} />}
    </div>
  )
}

const series = [
  { id: 'old', name: 'old key', ink: otherPaint },
  { id: 'new', name: 'new key', ink: paintOf(0) },
]

/** Calls per minute with both keys in the last hour. */
function CallsByMinute({ oldId, newId }: { oldId: string; newId: string }) {
  const timeZone = useTimeZone()
  const queryFor = (keyId: string) => ({
    ...usageQuery({ keyId, range: '1h', interval: 'minute', timeZone }),
    // Refetched when a minute passes, also without calls.
    refetchInterval: 15_000,
  })
  const old = useQuery(queryFor(oldId))
  const current = useQuery(queryFor(newId))
  if (!old.data || !current.data) return <ChartSkeleton height={110} />
  const newBy = new Map(current.data.series.map(({ ts, requests }) => [ts, requests]))
  const points = old.data.series.map(({ ts, requests }, n, all) => {
    const span = { start: new Date(ts), end: new Date(all[n + 1]?.ts ?? old.data.to) }
    return { ...span, values: { old: requests, new: newBy.get(ts) ?? 0 } }
  })
  return (
    <TimeSeries
      label="Calls by minute in the last hour, with the old key and with the new one."
      series={series}
      points={points}
      interval="minute"
      timeZone={timeZone}
      height={110}
      isWhole
      format={formatInteger}
      formatAxis={formatInteger}
    />
  )
}
