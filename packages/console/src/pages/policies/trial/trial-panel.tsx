import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, messageOf } from '../../../api'
import { Button, cx, ErrorState, Skeleton, Switch } from '../../../components'
import { kinds } from '../kinds'
import type { Policy } from '../policy'
import { CallFieldInputs } from './call-field-inputs'
import { type CallFields, composeCall, noCallFields } from './call-fields'
import { Findings } from './findings'
import { MarkedArea, type MarkTone } from './marked-area'
import { type Mark, marksOf, moveMarks } from './marks'
import { anySamples } from './samples'
import { SegmentedControl } from './segmented-control'
import { type DraftBody, useTrial } from './use-trial'
import { useTrialKey, useTrialModel } from './use-trial-call'
import { Verdict } from './verdict'

export interface TrialPanelProps {
  /** The draft in the form; null tests the enabled policies, undefined means that the draft is incomplete. */
  draft: DraftBody | null | undefined
  /** Shown instead of the result while the draft cannot be tested. */
  notice?: ReactNode
  policies: readonly Policy[]
  /** Receives the validation error of the draft. */
  onError?(error: unknown): void
}

/** Tests policies on a text as you type: the verdict, the matches and their replacements. */
export function TrialPanel({ draft, notice, policies, onError }: TrialPanelProps) {
  const kind = draft ? kinds[draft.kind] : null
  const samples = kind?.samples ?? anySamples
  const [text, setText] = useState(samples[0]?.text ?? '')
  const [phase, setPhase] = useState<'input' | 'output'>(draft?.phase === 'output' ? 'output' : 'input')
  const [isAlone, setAlone] = useState(true)
  const [callFields, setCallFields] = useState<CallFields>(noCallFields)
  const key = useTrialKey()
  const model = useTrialModel(callFields.model)
  const isOnAnswers = draft?.phase === 'both' || draft?.phase === 'output' || draft === null
  const isOnRequests = draft?.phase !== 'output'
  const chosen = !isOnAnswers ? 'input' : !isOnRequests ? 'output' : phase
  const trial = useTrial(
    {
      draft: draft ?? null,
      alone: isAlone,
      call: composeCall(text, chosen, { ...callFields, model: model.name, keyId: key.id }),
    },
    draft !== undefined && notice === undefined && key.id !== undefined,
  )
  const { error } = trial
  const isUnknownModel = error instanceof ApiError && error.type === 'model_not_found'
  useEffect(() => {
    if (isUnknownModel) model.tryNext()
  }, [isUnknownModel, model.tryNext])
  useEffect(() => onError?.(error), [error, onError])
  const shown = notice === undefined ? trial.data : undefined
  const judged = String(shown?.call.messages[0]?.content ?? '')
  const marks = shown ? moveMarks(marksOf(shown.result.findings), judged, text) : []
  const toneOf = (mark: Mark): MarkTone => {
    const action = shown?.result.checks.find(({ policy }) => policy === mark.finding.policy)?.action
    return action === 'redact' || action === 'flag' ? action : 'block'
  }
  const nameOf = (reference: string): string | null =>
    reference === 'draft'
      ? draft?.name || 'This policy'
      : (policies.find(({ id }) => id === reference.split('@')[0])?.name ?? null)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {isOnAnswers && isOnRequests ? (
          <SegmentedControl
            label="Text type"
            value={chosen}
            onValue={(value) => setPhase(value)}
            choices={[
              ['input', 'Request'],
              ['output', 'Response'],
            ]}
          />
        ) : (
          <span className="text-xs text-ink-3">
            {isOnRequests ? 'Checked as a request' : 'Checked as a response'}
          </span>
        )}
        {draft && (
          <Switch
            label="With all enabled policies"
            checked={!isAlone}
            onChecked={(checked) => setAlone(!checked)}
          />
        )}
      </div>
      <MarkedArea
        label="Text to test"
        value={text}
        onValue={setText}
        marks={marks}
        toneOf={toneOf}
        placeholder="Enter or paste a text to test"
        rows={kind === null || kind.findsText ? 7 : 3}
      />
      <div className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
        Try
        {samples.map(({ name, text: sample }) => (
          <Button key={name} size="sm" kind="quiet" className="!h-6 !px-1.5" onClick={() => setText(sample)}>
            {name}
          </Button>
        ))}
      </div>
      <CallFieldInputs
        judged={kind?.callFields ?? []}
        callFields={callFields}
        onChange={(change) => setCallFields({ ...callFields, ...change })}
        model={model}
        trialKey={key}
      />
      <div aria-live="polite" className={cx('flex flex-col gap-3', trial.isPlaceholderData && 'opacity-70')}>
        {notice ??
          (draft === undefined ? (
            <p className="m-0 text-sm text-ink-3">Fill in the policy to test it as you type.</p>
          ) : error && !isUnknownModel ? (
            isOfDraft(error) ? (
              <p className="m-0 border-l-2 border-bad py-1 pl-3 text-sm">
                Cannot be tested yet: {messageOf(error)}
              </p>
            ) : (
              <ErrorState error={error} retry={() => void trial.refetch()} />
            )
          ) : shown ? (
            <>
              <Verdict result={shown.result} call={shown.call} nameOf={nameOf} />
              <Findings
                result={shown.result}
                text={judged}
                nameOf={nameOf}
                showsChecks={!isAlone || draft === null}
              />
            </>
          ) : key.isNone ? (
            <p className="m-0 text-sm text-ink-2">Testing needs a key, and there is none yet.</p>
          ) : (
            <Skeleton className="h-16" />
          ))}
      </div>
    </div>
  )
}

const isOfDraft = (error: unknown) =>
  error instanceof ApiError && error.details.some(({ path }) => path.startsWith('draft.'))
