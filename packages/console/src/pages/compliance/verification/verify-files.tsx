import FileCheck2 from 'lucide-react/icons/file-check-corner'
import { type DragEvent, useRef, useState } from 'react'
import { Button, CopyButton, cx, ErrorState, Section, Switch } from '../../../components'
import { formatBytes, formatDuration, formatInteger } from '../../../format'
import type { FilesVerdict } from '../../../verifier'
import { TallyStick } from './tally-stick'
import type { useVerification, Verification } from './use-verification'

/** Verifies a file as `tallystick verify` does. The file stays in the browser. */
export function VerifyFiles({ state, verify, cancel }: ReturnType<typeof useVerification>) {
  const [isOver, setOver] = useState(false)
  const [costs, setCosts] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const verifyChosen = (list: FileList | null) => {
    const files = [...(list ?? [])]
    if (files.length > 0) void verify(files, costs)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    verifyChosen(event.dataTransfer.files)
  }
  return (
    <Section title="Verify a file" note="in this browser; nothing is uploaded">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button inside does the same */}
      <div
        data-drop
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cx(
          'flex flex-col gap-4 rounded-lg border px-5 py-4 text-sm transition-colors',
          isOver
            ? 'border-accent bg-accent-soft'
            : state.is === 'idle'
              ? 'border-dashed border-rule-2'
              : 'border-rule-2',
        )}
      >
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to verify"
          onChange={(event) => {
            verifyChosen(event.target.files)
            // Clearing the input allows to choose the same file again after it was changed.
            event.target.value = ''
          }}
        />
        <VerificationResult state={state} onCancel={cancel} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button icon={<FileCheck2 size={14} aria-hidden />} onClick={() => input.current?.click()}>
            {state.is === 'idle' ? 'Choose a file' : 'Choose another file'}
          </Button>
          <Switch checked={costs} onChecked={setCosts} label="Recompute every cost" />
        </div>
      </div>
    </Section>
  )
}

function VerificationResult({ state, onCancel }: { state: Verification; onCancel(): void }) {
  switch (state.is) {
    case 'idle':
      return (
        <>
          <TallyStick label="A tally stick, split in two" state="unknown" seed="tallystick" />
          <p className="m-0 max-w-prose text-ink-2">
            Drop an export here. Drop related files together: a receipt and its proof, an attestation and its
            export, consecutive exports, or a checkpoint you stored.
          </p>
        </>
      )
    case 'running':
      return <Running files={state.files} progress={state.progress} onCancel={onCancel} />
    case 'failed':
      return <ErrorState error={state.error} />
    case 'done':
      return <Verdict verdict={state.verdict} files={state.files} tookMs={state.tookMs} />
  }
}

function Running({
  files,
  progress,
  onCancel,
}: Pick<Extract<Verification, { is: 'running' }>, 'files' | 'progress'> & { onCancel(): void }) {
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0)
  const readBytes = progress?.readBytes ?? 0
  const share = totalBytes === 0 ? 0 : readBytes / totalBytes
  return (
    <>
      <TallyStick
        label={`Checking: ${Math.floor(share * 100)} %`}
        state="checking"
        read={share}
        seed={seedOf(files)}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="num m-0 min-w-0 break-words text-ink-2">
          {namesOf(files)}: {progress ? `entry ${formatInteger(progress.seq)}, ` : ''}
          {formatBytes(readBytes)} of {formatBytes(totalBytes)}
        </p>
        <Button size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}

const stickStates = {
  verified: 'closed',
  consistent: 'unknown',
  fault: 'apart',
  unusable: 'unknown',
} as const
const tones = {
  verified: 'text-ok',
  consistent: 'text-warn',
  fault: 'text-bad',
  unusable: 'text-ink',
} as const

function Verdict({
  verdict,
  files,
  tookMs,
}: {
  verdict: FilesVerdict
  files: readonly File[]
  tookMs: number
}) {
  const title = titleOf(verdict)
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0)
  return (
    <div
      className="flex flex-col gap-3"
      role={verdict.verdict === 'fault' ? 'alert' : 'status'}
      data-verdict={verdict.verdict}
    >
      <TallyStick
        label={title}
        state={stickStates[verdict.verdict]}
        faultAt={locateFault(verdict)}
        seed={seedOf(files)}
      />
      <p className={cx('m-0 text-lg font-semibold', tones[verdict.verdict])}>{title}</p>
      {verdict.verdict === 'unusable' && <p className="m-0">{verdict.text}</p>}
      {verdict.findings.map((finding) => (
        <div key={`${finding.file} ${finding.kind}`} className="flex flex-col gap-1">
          <p className="m-0 text-xs break-words text-ink-3">
            <span className="mono">{finding.file}</span>, {finding.kind}
          </p>
          {finding.fault && <p className="m-0 font-medium">{finding.fault.message}.</p>}
          {finding.exceptions?.map((sentence) => (
            <p key={sentence} className="m-0 break-words text-bad" data-exception>
              Exception: {sentence}.
            </p>
          ))}
          {finding.established.map((sentence) => (
            <p key={sentence} className="m-0 break-words">
              {sentence}.
            </p>
          ))}
          {finding.remarks.map((sentence) => (
            <p key={sentence} className="m-0 text-ink-3">
              {sentence}.
            </p>
          ))}
        </div>
      ))}
      <p className="m-0 flex flex-wrap items-center gap-x-1.5 text-xs text-ink-3 [&_button]:-ml-1.5">
        <span>
          Verified in this browser in {formatDuration(tookMs)}, {formatBytes(totalBytes)}, against the keys
          that this service publishes.
        </span>
        <CopyButton text={verdict.text} label="Copy result" />
      </p>
    </div>
  )
}

function titleOf({ verdict, findings }: FilesVerdict): string {
  const fault = findings.find((finding) => finding.fault !== null)?.fault
  switch (verdict) {
    case 'verified':
      return findings.some(({ exceptions = [] }) => exceptions.length > 0)
        ? 'Verified: the halves match, with exceptions'
        : 'Verified: the halves match'
    case 'consistent':
      return `Consistent; ${findings.find(({ unproved }) => unproved !== undefined)?.unproved ?? 'signer unknown'}`
    case 'fault':
      return fault?.seq == null
        ? `Error: ${fault?.kind ?? ''}`
        : `Error at entry ${formatInteger(fault.seq)}: ${fault.kind}`
    case 'unusable':
      return 'These files cannot be verified'
  }
}

function locateFault({ findings }: FilesVerdict): number | null {
  const seq = findings.find((finding) => finding.fault !== null)?.fault?.seq
  const spans = findings.filter(({ kind }) => kind === 'export').map(({ facts }) => facts)
  const [from, to] = [Number(spans[0]?.fromSeq), Number(spans.at(-1)?.toSeq)]
  if (seq == null || !(to >= from)) return null
  return (seq - from + 0.5) / (to - from + 1)
}

const namesOf = (files: readonly File[]) => files.map(({ name }) => name).join(', ')
const seedOf = (files: readonly File[]) => namesOf(files)
