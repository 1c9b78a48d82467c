import { cx, Switch } from '../../../components'

/** Whether what was redacted from a request is put back into its response. */
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
        {error ?? 'The provider sees the placeholder; the caller sees the original value in the response.'}
      </p>
    </div>
  )
}
