import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { api, type components, expectSuccess } from '../../api'
import { formatDuration, formatInteger, plural } from '../../format'
import { type ReceiptVerdict, verifyReceipt } from '../../verifier'
import { Button } from '../button'
import { cx } from '../class-names'
import { Logo } from '../logo'
import { DescriptionItem, DescriptionList } from '../page'
import { ErrorState } from '../states'
import { saveFile } from './save-file'
import { shownFigures } from './shown-figures'

type CallDetail = components['schemas']['CallDetail']
type Receipt = components['schemas']['Receipt']
type InclusionProof = components['schemas']['InclusionProof']

export interface ReceiptProofProps {
  /** The call as shown on the page; its values are compared with the receipt. */
  call: CallDetail
}

interface Checked {
  receipt: Receipt
  proof: InclusionProof
  verdict: ReceiptVerdict
  /** When the checkpoint was signed according to the service; null if unknown. */
  signedAt: string | null
}

const proofQuery = (call: CallDetail) =>
  queryOptions({
    queryKey: ['receipt-proof', call],
    // Receipts are immutable, so the proof never goes stale.
    staleTime: Number.POSITIVE_INFINITY,
    enabled: call.receipt.state === 'kept',
    queryFn: async ({ signal }): Promise<Checked> => {
      const path = { seq: call.receipt.seq }
      const [receipt, proof, { keys }] = await Promise.all([
        expectSuccess(api.GET('/v1/compliance/receipts/{seq}', { params: { path }, signal })),
        expectSuccess(api.GET('/v1/compliance/receipts/{seq}/proof', { params: { path }, signal })),
        expectSuccess(api.GET('/.well-known/tallystick/jwks.json', { signal })),
      ])
      const shown = shownFigures(call, receipt)
      const [verdict, newest] = await Promise.all([
        verifyReceipt({ receipt, proof, keys, shown }, signal),
        expectSuccess(api.GET('/v1/compliance/checkpoints', { params: { query: { limit: 5 } }, signal })),
      ])
      const signedAt = newest.data.find(({ size }) => size === proof.size)?.sealedAt ?? null
      return { receipt, proof, verdict, signedAt }
    },
  })

/** Verifies in the browser that the receipt of a call is in the record. The halves of the logo close when it is. */
export function ReceiptProof({ call }: ReceiptProofProps) {
  const { data, error, refetch } = useQuery(proofQuery(call))
  const name = `Receipt ${formatInteger(call.receipt.seq)}`
  if (call.receipt.state === 'dropped')
    return (
      <Verdict tone="neutral" title={`${name} was exported and removed from the record`}>
        The operator has the file. Verify it under{' '}
        <Link to="/compliance" className="link">
          Compliance
        </Link>
        .
      </Verdict>
    )
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />
  if (data === undefined)
    return (
      <Verdict tone="neutral" title={`${name} is being verified`}>
        Loading its proof and the public keys of the record.
      </Verdict>
    )
  const { verdict, receipt, proof, signedAt } = data
  if (!verdict.ok)
    return (
      <Verdict tone="bad" title={`${name} does not match the record`}>
        {verdict.message} ({verdict.kind}). Verified in this browser.
        <Details receipt={receipt} proof={proof} keyIds={[]} />
      </Verdict>
    )
  return (
    <Verdict tone="ok" title={`${name} is in the record`}>
      Linked by {plural(verdict.hashes, 'hash', 'hashes')} to checkpoint {formatInteger(verdict.size)}, signed
      {signedAt !== null && ` ${describeDelay(Date.parse(signedAt) - Date.parse(receipt.ts))} later`}. The
      values shown match the receipt. Verified in this browser.
      <Details receipt={receipt} proof={proof} keyIds={verdict.keyIds} />
    </Verdict>
  )
}

const dayMs = 86_400_000

const describeDelay = (ms: number) =>
  ms < 2 * dayMs ? formatDuration(ms) : plural(Math.floor(ms / dayMs), 'day')

type VerdictTone = 'ok' | 'bad' | 'neutral'

const boxes: Record<VerdictTone, string> = {
  ok: 'border-ok/40 bg-ok-soft',
  bad: 'border-bad/50 bg-bad-soft',
  neutral: 'border-rule-2 bg-transparent',
}
const marks: Record<VerdictTone, string> = {
  ok: 'text-ok',
  // On a mismatch both halves have the colour of an error.
  bad: 'text-bad [--accent:var(--bad)]',
  neutral: 'text-ink-3 [--accent:var(--ink-3)]',
}

function Verdict({ tone, title, children }: { tone: VerdictTone; title: string; children: ReactNode }) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      data-verdict={tone}
      className={cx(
        'grid min-h-20 grid-cols-[32px_minmax(0,1fr)] items-start gap-4 rounded-lg border px-4 py-3.5 transition-colors duration-500',
        boxes[tone],
      )}
    >
      <span className={cx('mt-1', marks[tone])}>
        <Logo size={32} closed={tone === 'ok'} />
      </span>
      <div className="min-w-0">
        <p className="m-0 text-sm font-semibold text-ink">{title}</p>
        <div className="text-sm text-ink-2">{children}</div>
      </div>
    </div>
  )
}

function Details({
  receipt,
  proof,
  keyIds,
}: {
  receipt: Receipt
  proof: InclusionProof
  keyIds: readonly string[]
}) {
  const save = (name: string, content: object) =>
    saveFile(`${name}-${proof.seq}.json`, new Blob([JSON.stringify(content)], { type: 'application/json' }))
  return (
    <details className="group mt-1.5">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-xs font-medium text-ink-2 hover:text-ink">
        <ChevronRight size={13} aria-hidden className="transition-transform group-open:rotate-90" />
        Proof
      </summary>
      <div className="mt-2 flex flex-col gap-3 text-xs">
        <DescriptionList>
          <DescriptionItem name="Leaf">
            <Hash>{receipt.leafHash}</Hash>
          </DescriptionItem>
          <DescriptionItem name="Path">
            <ol className="m-0 flex list-none flex-col gap-0.5 p-0">
              {proof.path.map((hash, level) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the level in the path identifies the hash
                <li key={level}>
                  <Hash>{hash}</Hash>
                </li>
              ))}
            </ol>
          </DescriptionItem>
          <DescriptionItem name="Root">
            <Hash>{proof.root}</Hash>
          </DescriptionItem>
          {keyIds.length > 0 && (
            <DescriptionItem name="Signed by">
              <Hash>{keyIds.join(', ')}</Hash>
            </DescriptionItem>
          )}
        </DescriptionList>
        <p className="m-0 flex flex-wrap items-center gap-2">
          <Button size="sm" onClick={() => save('receipt', receipt)}>
            Save receipt
          </Button>
          <Button size="sm" onClick={() => save('proof', proof)}>
            Save proof
          </Button>
          <span className="text-ink-3">
            for <code>tallystick verify</code>
          </span>
        </p>
      </div>
    </details>
  )
}

const Hash = ({ children }: { children: string }) => (
  <span className="mono block text-2xs break-all text-ink-2">{children}</span>
)
