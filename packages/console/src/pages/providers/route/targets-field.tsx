import { keepPreviousData, useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useId, useState } from 'react'
import { apiQuery } from '../../../api'
import { Button, cx, IconButton, Input, Select } from '../../../components'
import { useProviders } from '../use-providers'
import { emptyTarget, type RouteDraft, type TargetDraft } from './route-draft'

interface TargetsFieldProps {
  draft: RouteDraft
  onTargets(targets: TargetDraft[]): void
  /** The error of a row, by its index. */
  errorOf(n: number): string | null
  error: string | null
}

/** The targets of a route, in order, with suggestions from the catalogue. */
export function TargetsField({ draft, onTargets, errorOf, error }: TargetsFieldProps) {
  const { targets, strategy } = draft
  const change = (at: number, part: Partial<TargetDraft>) =>
    onTargets(targets.map((target, n) => (n === at ? { ...target, ...part } : target)))
  const move = (at: number, by: 1 | -1) => {
    const next = [...targets]
    const [target] = next.splice(at, 1)
    if (target) next.splice(at + by, 0, target)
    onTargets(next)
  }
  const endpoints = useEndpoints()
  return (
    <fieldset className="m-0 flex flex-col gap-2 border-0 p-0 sm:col-span-2">
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">
        Targets{strategy === 'priority' && ' (the first available one is called)'}
      </legend>
      {targets.map((target, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: targets are identified by their position
        <div key={n}>
          <div className="flex items-center gap-1.5">
            <ModelInput
              label={`Model of target ${n + 1}`}
              value={target.model}
              onValue={(model) => change(n, { model })}
              isInvalid={errorOf(n) !== null}
            />
            <Select
              label={`Endpoint of target ${n + 1}`}
              value={target.dialect}
              onValue={(dialect) => change(n, { dialect })}
              choices={[
                { value: '', label: 'all endpoints' },
                ...[...new Set([...endpoints, ...(target.dialect === '' ? [] : [target.dialect])])].map(
                  (dialect) => ({ value: dialect, label: `only ${dialect}` }),
                ),
              ]}
              className="w-36 shrink-0 max-sm:w-24"
            />
            {strategy === 'weighted' && (
              <Input
                aria-label={`Weight of target ${n + 1}`}
                title="Weight"
                inputMode="numeric"
                value={target.weight}
                onChange={({ target: { value } }) => change(n, { weight: value })}
                className="num !w-16 shrink-0 text-right"
              />
            )}
            <span className="flex shrink-0">
              {strategy === 'priority' && (
                <>
                  <IconButton
                    label={`Move target ${n + 1} up`}
                    disabled={n === 0}
                    onClick={() => move(n, -1)}
                  >
                    <ChevronUp size={14} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={`Move target ${n + 1} down`}
                    disabled={n === targets.length - 1}
                    onClick={() => move(n, 1)}
                  >
                    <ChevronDown size={14} aria-hidden />
                  </IconButton>
                </>
              )}
              <IconButton
                label={`Remove target ${n + 1}`}
                disabled={targets.length === 1}
                onClick={() => onTargets(targets.filter((_, each) => each !== n))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </span>
          </div>
          {errorOf(n) !== null && <p className="m-0 mt-1 text-xs text-bad">{errorOf(n)}</p>}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          icon={<Plus size={13} aria-hidden />}
          disabled={targets.length >= 20}
          onClick={() => onTargets([...targets, emptyTarget])}
        >
          Add a target
        </Button>
        <span className={cx('text-xs', error ? 'text-bad' : 'text-ink-3')}>
          {error ?? 'A caller that may not use a target gets the next one'}
        </span>
      </div>
    </fieldset>
  )
}

/** The endpoints of all providers of the tenant. */
function useEndpoints(): string[] {
  const { rows = [] } = useProviders()
  return [...new Set(rows.flatMap(({ dialects }) => dialects))]
}

interface ModelInputProps {
  label: string
  value: string
  onValue(value: string): void
  isInvalid: boolean
}

const offered = 30

function ModelInput({ label, value, onValue, isInvalid }: ModelInputProps) {
  const listId = useId()
  const [hasFocus, setFocus] = useState(false)
  const models = useQuery({
    ...apiQuery('/v1/catalogue', {
      params: { query: { limit: offered, ...(value.trim() !== '' && { q: value.trim() }) } },
    }),
    enabled: hasFocus,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Input
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        list={listId}
        placeholder="provider/model"
        className="mono !text-xs"
        value={value}
        onFocus={() => setFocus(true)}
        onChange={({ target }) => onValue(target.value)}
      />
      <datalist id={listId}>
        {models.data?.data.map(({ provider, model }) => (
          <option key={`${provider}/${model}`} value={`${provider}/${model}`} />
        ))}
      </datalist>
    </>
  )
}
