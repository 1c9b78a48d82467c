import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { apiQuery, type components } from '../../../api'
import { Button, CopyButton, ErrorState, Skeleton, Time } from '../../../components'
import { formatBytes } from '../../../format'
import { useSession } from '../../../session'
import type { CallDetail } from './call-detail'
import { type Message, readMessages } from './messages'
import { Part } from './part'

type ContentRecord = components['schemas']['CallContent']
type Side = ContentRecord['attempts'][number]['request']

/** The captured content of a call. It is loaded on request, because each access is audited. */
export function Content({ call }: { call: CallDetail }) {
  const { role } = useSession()
  if (role === 'member')
    return (
      <Part title="Content">
        <p className="m-0 text-sm text-ink-2">Captured content is visible to managers and auditors only.</p>
      </Part>
    )
  return <ReadContent call={call} />
}

function ReadContent({ call }: { call: CallDetail }) {
  const [isRead, setRead] = useState(false)
  const { data: receipt } = useQuery({
    ...apiQuery('/v1/compliance/receipts/{seq}', { params: { path: { seq: call.receipt.seq } } }),
    enabled: call.receipt.state === 'kept',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const {
    data: content,
    error,
    refetch,
  } = useQuery({
    ...apiQuery('/v1/calls/{requestId}/content', { params: { path: { requestId: call.requestId } } }),
    enabled: isRead,
    // The content is neither refetched nor cached, because each access is written to the audit log.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
  const mode = receipt && modeOf(receipt.canonical)
  const isOff = call.receipt.state === 'kept' && receipt !== undefined && mode === null
  const settings = (
    <Link to="/settings" className="link">
      {isOff ? 'capture was off →' : 'settings →'}
    </Link>
  )
  if (isOff)
    return (
      <Part title="Content" aside={settings}>
        <p className="m-0 text-sm text-ink-2">
          Only commitments to the bytes are stored. Enable content capture to see the content of later calls.
        </p>
      </Part>
    )
  if (!isRead)
    return (
      <Part title="Content" aside={settings}>
        <div className="flex flex-wrap items-center gap-3 text-sm text-ink-2">
          <Button
            size="sm"
            onClick={() => setRead(true)}
            disabled={!receipt && call.receipt.state === 'kept'}
          >
            Show content
          </Button>
          <span>
            {mode === 'redacted'
              ? 'Captured after policies. '
              : mode === 'full'
                ? 'Captured as sent and received. '
                : ''}
            Each access is written to the audit log.
          </span>
        </div>
      </Part>
    )
  return (
    <Part
      title="Content"
      aside={
        content?.expiresAt && (
          <>
            deleted <Time at={content.expiresAt} />
          </>
        )
      }
    >
      {content ? (
        <ContentView content={content} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton className="h-32" />
      )}
    </Part>
  )
}

function modeOf(canonical: string): string | null {
  const { content }: { content?: string } = JSON.parse(canonical)
  return content ?? null
}

const states: Partial<Record<ContentRecord['state'], string>> = {
  off: 'Content capture was off when the call was made.',
  pending: 'The call has just ended. Try again in a few seconds.',
  lost: 'The content could not be stored, or the setting changed during the call.',
  expired: 'The content was deleted at the end of its retention.',
  erased: 'The content was erased with the person.',
  undecryptable: 'The content cannot be decrypted with the current keys.',
}

function ContentView({ content }: { content: ContentRecord }) {
  const words = states[content.state]
  return (
    <div className="flex flex-col gap-4 text-sm">
      {words && <p className="m-0 text-ink-2">{words}</p>}
      {content.attempts.map(({ attempt, request, answer }) => (
        <div key={attempt} className="flex flex-col gap-3">
          {content.attempts.length > 1 && <p className="m-0 text-xs text-ink-3">Attempt {attempt}</p>}
          <ContentSide name="Request" side={request} />
          <ContentSide name="Response" side={answer} />
        </div>
      ))}
      {content.attempts.length > 0 && (
        <p className="m-0 text-xs text-ink-3">This access is in the audit log.</p>
      )}
    </div>
  )
}

function ContentSide({ name, side }: { name: string; side: Side }) {
  if (side === null) return <p className="m-0 text-ink-2">{name}: not stored, or empty.</p>
  const messages = side.body === null ? null : readMessages(side.body)
  const raw = side.body === null ? (side.text ?? '') : JSON.stringify(side.body, null, 2)
  return (
    <div>
      <div className="flex items-baseline justify-between gap-2 text-xs text-ink-3">
        <span>
          {name}, {formatBytes(side.bytes)}
          {side.truncated && ', truncated'}
        </span>
        <CopyButton text={raw} />
      </div>
      {side.note && <p className="m-0 mb-1 text-xs text-ink-3">{side.note}</p>}
      {messages ? (
        <ol className="m-0 flex list-none flex-col gap-2 p-0">
          {messages.map((message, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are identified by their position
            <MessageView key={n} message={message} />
          ))}
        </ol>
      ) : (
        <pre className="m-0 max-h-96 overflow-auto rounded-md border border-rule bg-sunken p-3 text-xs leading-5 break-words whitespace-pre-wrap">
          {raw}
        </pre>
      )}
    </div>
  )
}

const MessageView = ({ message: { role, text } }: { message: Message }) => (
  <li className="border-l-2 border-rule-2 pl-3">
    <div className="text-xs font-medium text-ink-3">{role}</div>
    <div className="max-h-80 overflow-auto break-words whitespace-pre-wrap">
      {text === '' ? '(empty)' : text}
    </div>
  </li>
)
