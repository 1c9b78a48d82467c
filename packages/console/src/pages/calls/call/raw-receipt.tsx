import { useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useState } from 'react'
import { apiQuery } from '../../../api'
import { CopyButton, ErrorState, Skeleton } from '../../../components'
import type { CallDetail } from './call-detail'

/** The canonical receipt, as it was hashed. */
export function RawReceipt({ call }: { call: CallDetail }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    ...apiQuery('/v1/compliance/receipts/{seq}', { params: { path: { seq: call.receipt.seq } } }),
    enabled: isOpen && call.receipt.state === 'kept',
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (call.receipt.state === 'dropped') return null
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-sm font-semibold">
        <ChevronRight
          size={14}
          aria-hidden
          className="text-ink-3 transition-transform group-open:rotate-90"
        />
        Raw receipt
      </summary>
      <div className="mt-2">
        {data ? (
          <div className="rounded-md border border-rule bg-sunken">
            <div className="flex items-center justify-between gap-2 px-3 pt-2 text-xs text-ink-3">
              <span>Canonical JSON: the bytes that are hashed</span>
              <CopyButton text={data.canonical} />
            </div>
            <pre className="m-0 max-h-72 overflow-auto px-3 py-2 !text-2xs leading-4 break-all whitespace-pre-wrap text-ink-2">
              {data.canonical}
            </pre>
          </div>
        ) : error ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton className="h-24" />
        )}
      </div>
    </details>
  )
}
