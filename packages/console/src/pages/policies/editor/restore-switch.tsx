import { cx, Switch } from '../../../components'

/** Chooses whether the response restores values that were redacted from the request. */
export function RestoreSwitch({
  checked,
  onChecked,
  error,
  disabled,
}: {
  checked: boolean
  onChecked(checked: boolean): void
  error: string | undefined
  disabled: boolean
}) {
  return (
    <div>
      <Switch label="Restore in the response" checked={checked} onChecked={onChecked} disabled={disabled} />
      <p className={cx('m-0 mt-1 text-xs', error ? 'text-bad' : 'text-ink-3')}>
        {error ??
          'The provider sees the placeholder; the caller sees the original value where the response repeats it.'}
      </p>
    </div>
  )
}
