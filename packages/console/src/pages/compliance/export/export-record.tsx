import Download from 'lucide-react/icons/download'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useEffect, useRef, useState } from 'react'
import { Button, ErrorState, Meter, Section, Select } from '../../../components'
import { saveFile } from '../../../components/receipt-proof/save-file'
import { formatBytes, formatInteger, plural } from '../../../format'
import { useAttestation } from '../use-attestation'
import { type ExportedFile, type ExportProgress, streamExport } from './stream-export'

type State =
  | { is: 'idle' }
  | { is: 'running'; progress: ExportProgress }
  | { is: 'done'; exported: ExportedFile }
  | { is: 'failed'; error: unknown }

/** Exports the record as a file that anyone can verify. */
export function ExportRecord({ onVerify }: { onVerify(file: File): void }) {
  const [state, setState] = useState<State>({ is: 'idle' })
  const [span, setSpan] = useState<'all' | 'period'>('all')
  const { data } = useAttestation()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    const { fromSeq, toSeq } = data?.period ?? {}
    const bounds = span === 'period' ? { fromSeq, toSeq } : {}
    setState({ is: 'running', progress: { bytes: 0, entries: 0, totalEntries: null } })
    try {
      const onProgress = (progress: ExportProgress) => setState({ is: 'running', progress })
      const exported = await streamExport({ ...bounds, onProgress, signal: controller.signal })
      saveFile(exported.file.name, exported.file)
      setState({ is: 'done', exported })
    } catch (error) {
      setState(controller.signal.aborted ? { is: 'idle' } : { is: 'failed', error })
    }
  }
  const hasPeriod = (data?.period.toSeq ?? 0) > 0

  return (
    <Section title="Export" note="entries, signatures and public keys, one per line">
      <div className="flex flex-col gap-3 border-t border-rule pt-4 text-sm">
        {state.is === 'running' ? (
          <Running progress={state.progress} onCancel={() => running.current?.abort()} />
        ) : (
          <div className="flex flex-wrap items-center gap-2">
            <Select<'all' | 'period'>
              label="What to export"
              value={span}
              onValue={setSpan}
              choices={[
                { value: 'all', label: 'The whole record' },
                ...(hasPeriod ? [{ value: 'period' as const, label: 'The period above' }] : []),
              ]}
            />
            <Button icon={<Download size={14} aria-hidden />} onClick={() => void start()}>
              Export
            </Button>
          </div>
        )}
        {state.is === 'failed' && <ErrorState error={state.error} retry={() => void start()} />}
        {state.is === 'done' && (
          <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0 break-words">
              Saved <span className="mono">{state.exported.file.name}</span>:{' '}
              {plural(state.exported.entries, 'entry', 'entries')}, {formatBytes(state.exported.file.size)}
            </span>
            <Button
              size="sm"
              icon={<ShieldCheck size={13} aria-hidden />}
              onClick={() => onVerify(state.exported.file)}
            >
              Verify
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}

function Running({ progress, onCancel }: { progress: ExportProgress; onCancel(): void }) {
  const { bytes, entries, totalEntries } = progress
  const total = totalEntries === null ? '' : ` of ${formatInteger(totalEntries)}`
  return (
    <div className="flex flex-col gap-2">
      <Meter
        label={`${formatInteger(entries)}${total} entries`}
        value={entries}
        max={totalEntries ?? Number.MAX_SAFE_INTEGER}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="num text-ink-2">
          {formatInteger(entries)}
          {total} entries, {formatBytes(bytes)}
        </span>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
