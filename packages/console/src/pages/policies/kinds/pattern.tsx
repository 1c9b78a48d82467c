import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useId } from 'react'
import { Button, IconButton, Input } from '../../../components'
import { personalData, plainText } from '../trial/samples'
import { ErrorLine } from './fields'
import { type ConfigFormProps, defineKind, findsInTexts } from './kind'

interface Fields {
  patterns: readonly { name: string; regex: string }[]
}

export const pattern = defineKind<Fields>({
  name: 'Patterns',
  description: 'finds matches of regular expressions',
  ...findsInTexts,
  samples: [{ name: 'A badge', text: 'Let EMP-123456 in, but not EMP-12.' }, personalData, plainText],
  read: ({ patterns }) => ({
    patterns: Array.isArray(patterns)
      ? patterns.map(({ name = '', regex = '' }: Partial<Fields['patterns'][number]>) => ({ name, regex }))
      : [{ name: '', regex: '' }],
  }),
  write: ({ patterns }) => ({ patterns }),
  isFilledIn: ({ patterns }) =>
    patterns.length > 0 && patterns.every(({ name, regex }) => name !== '' && regex !== ''),
  Form: Patterns,
})

function Patterns({ fields, onChange, errorOf, disabled }: ConfigFormProps<Fields>) {
  const id = useId()
  const set = (at: number, change: Partial<Fields['patterns'][number]>) =>
    onChange({ patterns: fields.patterns.map((each, n) => (n === at ? { ...each, ...change } : each)) })
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[8rem_1fr_28px] gap-2 text-xs font-medium text-ink-2">
        <span id={`${id}-name`}>Name</span>
        <span id={`${id}-regex`}>Regular expression</span>
      </div>
      {fields.patterns.map(({ name, regex }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place and have no ID
        <div key={at}>
          <div className="grid grid-cols-[8rem_1fr_28px] items-center gap-2">
            <Input
              aria-labelledby={`${id}-name`}
              value={name}
              disabled={disabled}
              placeholder="badge"
              aria-invalid={errorOf(`config.patterns.${at}.name`) ? true : undefined}
              onChange={({ target }) => set(at, { name: target.value })}
            />
            <Input
              aria-labelledby={`${id}-regex`}
              className="mono"
              value={regex}
              disabled={disabled}
              placeholder="\bEMP-[0-9]{6}\b"
              aria-invalid={errorOf(`config.patterns.${at}.regex`) ? true : undefined}
              onChange={({ target }) => set(at, { regex: target.value })}
            />
            {!disabled && fields.patterns.length > 1 && (
              <IconButton
                label={`Remove the pattern ${name || at + 1}`}
                onClick={() => onChange({ patterns: fields.patterns.filter((_, n) => n !== at) })}
              >
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </div>
          <ErrorLine error={errorOf(`config.patterns.${at}`)} />
        </div>
      ))}
      <p className="m-0 text-xs text-ink-3">
        RE2 syntax: linear time, so no backreferences and no lookaround. (?i) at the start ignores capitals.
      </p>
      {!disabled && (
        <div>
          <Button
            size="sm"
            icon={<Plus size={13} aria-hidden />}
            onClick={() => onChange({ patterns: [...fields.patterns, { name: '', regex: '' }] })}
          >
            Add a pattern
          </Button>
        </div>
      )}
    </div>
  )
}
