import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, apiPages, messageOf } from '../../../api'
import { Button, cx, ErrorState, Field, Input, Select, Skeleton, Switch } from '../../../components'
import { useSession } from '../../../session'
import { usageQuery } from '../../../usage'
import { kinds } from '../kinds'
import type { PolicyKind } from '../kinds/kind'
import type { Policy } from '../policy'
import { Findings } from './findings'
import { MarkedArea, type MarkTone } from './marked-area'
import { type Mark, marksOf, moveMarks } from './marks'
import { anySamples } from './samples'
import { type DraftBody, useTrial } from './use-trial'
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

interface CallFields {
  model: string
  tools: string
  maxOutputTokens: string
  stream: boolean
}
const noCallFields: CallFields = { model: '', tools: '', maxOutputTokens: '', stream: false }

function composeCall(
  text: string,
  phase: 'input' | 'output',
  { model, keyId, tools, maxOutputTokens, stream }: CallFields & { keyId: string | undefined },
) {
  const names = tools.split(/[\s,]+/).filter((name) => name !== '')
  const called = names.map((name, n) => ({
    id: `call_${n}`,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  const isAnswer = phase === 'output'
  const message = isAnswer
    ? { role: 'assistant', content: text, ...(called.length > 0 && { tool_calls: called }) }
    : { role: 'user', content: text }
  return {
    model,
    phase,
    stream,
    messages: [message],
    ...(keyId !== undefined && { keyId }),
    ...(!isAnswer &&
      names.length > 0 && { tools: names.map((name) => ({ type: 'function', function: { name } })) }),
    ...(maxOutputTokens !== '' && { maxOutputTokens: Number(maxOutputTokens) }),
  }
}

type TrialKey = ReturnType<typeof useTrialKey>
type TrialModel = ReturnType<typeof useTrialModel>

/** The key that the trial call uses: the user's own key if they signed in with one. */
function useTrialKey() {
  const own = useSession().keyId
  const { data, isSuccess } = useInfiniteQuery(apiPages('/v1/keys', { limit: 200, status: 'active' }))
  const [chosen, choose] = useState<string>()
  const id = chosen ?? own ?? data?.[0]?.id
  const keys = data?.map(({ id, name, hint }) => ({
    value: id,
    label: id === own ? `${name} (yours)` : `${name} …${hint}`,
  }))
  return { id, choose, keys: keys ?? [], isNone: isSuccess && id === undefined }
}

/** The model of the trial call. A recently used model may no longer be served, so the next one is tried then. */
function useTrialModel(chosen: string) {
  const { data } = useQuery(usageQuery({ range: '30d', groupBy: 'model' }))
  const used = data?.groups.flatMap(({ key }) => (key ? [key] : [])) ?? []
  const [at, setAt] = useState(0)
  const candidates = ['mock/echo', ...used]
  const [tryNext] = useState(() => () => setAt((before) => before + 1))
  return { name: chosen || (candidates[at] ?? 'mock/echo'), used, tryNext }
}

function CallFieldInputs({
  judged,
  callFields,
  onChange,
  model,
  trialKey,
}: {
  judged: NonNullable<PolicyKind['callFields']>
  callFields: CallFields
  onChange(change: Partial<CallFields>): void
  model: TrialModel
  trialKey: TrialKey
}) {
  return (
    <details className="text-sm" open={judged.length > 0}>
      <summary className="w-fit cursor-pointer text-xs text-ink-3 hover:text-ink">
        As a call with {trialKey.keys.find(({ value }) => value === trialKey.id)?.label ?? 'a key'} to{' '}
        {model.name}
      </summary>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <Field label="Key">
          {({ id }) => (
            <Select
              id={id}
              className="w-full"
              value={trialKey.id ?? ''}
              onValue={trialKey.choose}
              choices={trialKey.keys}
            />
          )}
        </Field>
        <Field label="Model">
          {(ids) => (
            <>
              <Input
                {...ids}
                className="mono"
                list="trial-models"
                value={callFields.model}
                placeholder={model.name}
                onChange={({ target }) => onChange({ model: target.value })}
              />
              <datalist id="trial-models">
                {model.used.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        {judged.includes('tools') && (
          <Field label="Tools">
            {(ids) => (
              <Input
                {...ids}
                className="mono"
                value={callFields.tools}
                placeholder="get_weather, shell"
                onChange={({ target }) => onChange({ tools: target.value })}
              />
            )}
          </Field>
        )}
        {judged.includes('maxOutputTokens') && (
          <Field label="Maximum output tokens">
            {(ids) => (
              <Input
                {...ids}
                className="num"
                inputMode="numeric"
                value={callFields.maxOutputTokens}
                placeholder="not set"
                onChange={({ target }) => onChange({ maxOutputTokens: target.value.replace(/\D/g, '') })}
              />
            )}
          </Field>
        )}
        {judged.includes('stream') && (
          <Switch label="Streamed" checked={callFields.stream} onChecked={(stream) => onChange({ stream })} />
        )}
      </div>
    </details>
  )
}

/** A segmented control for a few choices. */
function SegmentedControl<T extends string>({
  label,
  value,
  onValue,
  choices,
}: {
  label: string
  value: T
  onValue(value: T): void
  choices: readonly (readonly [T, string])[]
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex rounded-md border border-rule-2 bg-raised p-0.5"
    >
      {choices.map(([each, name]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onValue(each)}
          className={cx(
            'rounded-sm px-2.5 py-0.5 text-xs font-medium',
            each === value ? 'bg-sunken text-ink' : 'text-ink-3 hover:text-ink',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
