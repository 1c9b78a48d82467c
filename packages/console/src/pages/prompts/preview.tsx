import { useState } from 'react'
import { cx, TextField } from '../../components'
import { fillIn, variablesOf } from './variables'

/** A preview of a prompt with its variables filled in. */
export function Preview({ content }: { content: string }) {
  const [values, setValues] = useState<Record<string, string>>({})
  const names = variablesOf(content)
  return (
    <div className="flex flex-col gap-3">
      {names.length > 0 && (
        <div className="grid gap-3 sm:grid-cols-2">
          {names.map((name) => (
            <TextField
              key={name}
              label={name}
              value={values[name] ?? ''}
              onValue={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
        </div>
      )}
      <p className="m-0 rounded-md bg-sunken px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap">
        {fillIn(content, values).map(({ text, variable }, n) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: text pieces are identified by their position
            key={n}
            className={cx(
              variable !== null && 'rounded-xs bg-accent-soft px-0.5 text-accent',
              variable !== null && !values[variable] && 'mono',
            )}
          >
            {text}
          </span>
        ))}
      </p>
    </div>
  )
}
