import { useRef, useState } from 'react'
import { Field, TextArea } from '../../../components'

/** The variables of an expression, as the service defines them. */
const variables: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'request',
    [
      ['model', 'string, the provider’s name'],
      ['provider', 'string'],
      ['dialect', 'chat, responses, embeddings, messages, completions, count_tokens, …'],
      ['stream', 'true or false'],
      ['inputTokens', 'number'],
      ['maxOutputTokens', 'number; 0 if none is set'],
      ['messages', 'count'],
      ['tools', 'list of names'],
      ['tags', 'map of strings'],
      ['session', 'string'],
    ],
  ],
  [
    'tool',
    [
      ['name', 'server__tool; empty for model calls'],
      ['arguments', 'map of strings'],
    ],
  ],
  [
    'key',
    [
      ['id', 'string'],
      ['name', 'string'],
      ['role', 'member, auditor, manager'],
      ['metadata', 'map of strings'],
    ],
  ],
  [
    'user',
    [
      ['id', 'string; empty without an owner'],
      ['name', 'string'],
      ['email', 'string'],
      ['role', 'string'],
    ],
  ],
  [
    'team',
    [
      ['id', 'string; empty without a team'],
      ['name', 'string'],
    ],
  ],
]

const examples = [
  'request.stream && key.role != "manager"',
  'request.tools.exists(t, t.startsWith("shell"))',
  'tool.name == "mail__send" && !tool.arguments.to.endsWith("@example.com")',
  'now.getHours("UTC") < 6',
  'request.inputTokens > 50000 && team.name != "Search"',
]

/** A CEL expression, with its variables: a click inserts one at the caret. */
export function ExpressionField({
  value,
  onValue,
  error,
  disabled,
}: {
  value: string
  onValue(value: string): void
  error: string | undefined
  disabled: boolean
}) {
  const [isOpen] = useState(value === '')
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (text: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {}
    onValue(value.slice(0, selectionStart) + text + value.slice(selectionEnd))
    area.current?.focus()
  }
  return (
    <>
      <Field
        label="CEL expression"
        hint="True is a violation. Syntax, names and types are checked as you type."
        error={error}
      >
        {(ids) => (
          <TextArea
            {...ids}
            ref={area}
            rows={4}
            value={value}
            onChange={(event) => onValue(event.target.value)}
            disabled={disabled}
            placeholder={examples[0]}
            className="mono !text-sm"
          />
        )}
      </Field>
      {!disabled && (
        <details className="group rounded-md border border-rule" open={isOpen}>
          <summary className="cursor-pointer px-3 py-1.5 text-xs font-medium text-ink-2">
            Available fields
          </summary>
          <div className="flex flex-col gap-2 border-t border-rule px-3 py-2">
            {variables.map(([variable, fields]) => (
              <div key={variable} className="flex flex-wrap gap-x-1 gap-y-1">
                {fields.map(([field, type]) => (
                  <button
                    key={field}
                    type="button"
                    title={`${type}. Click to insert`}
                    onClick={() => insert(`${variable}.${field}`)}
                    className="mono rounded-sm border border-rule px-1.5 text-xs text-ink-2 hover:border-rule-2 hover:text-ink"
                  >
                    {variable}.{field}
                  </button>
                ))}
              </div>
            ))}
            <div>
              <button
                type="button"
                title="The time of the call. Click to insert"
                onClick={() => insert('now')}
                className="mono rounded-sm border border-rule px-1.5 text-xs text-ink-2 hover:border-rule-2 hover:text-ink"
              >
                now
              </button>
            </div>
            <p className="m-0 mt-1 text-xs text-ink-3">Examples</p>
            <ul className="m-0 flex list-none flex-col items-start gap-1 p-0">
              {examples.map((example) => (
                <li key={example}>
                  <button
                    type="button"
                    onClick={() => onValue(example)}
                    className="mono text-left text-xs text-accent hover:underline"
                  >
                    {example}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </details>
      )}
    </>
  )
}
