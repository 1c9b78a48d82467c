import { useRef, useState } from 'react'
import { Field, TextArea } from '../../parts'

/** What an expression can speak of, as the service defines it. */
const facts: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'request',
    [
      ['model', 'text, the provider’s own name'],
      ['provider', 'text'],
      ['dialect', 'chat, responses, embeddings, messages, completions, count_tokens, …'],
      ['stream', 'true or false'],
      ['inputTokens', 'number'],
      ['maxOutputTokens', 'number; 0 if it declares none'],
      ['messages', 'number of them'],
      ['tools', 'list of names'],
      ['tags', 'map of texts'],
      ['session', 'text'],
    ],
  ],
  [
    'tool',
    [
      ['name', 'server__tool; empty for calls of models'],
      ['arguments', 'map of texts'],
    ],
  ],
  [
    'key',
    [
      ['id', 'text'],
      ['name', 'text'],
      ['role', 'member, auditor, manager'],
      ['metadata', 'map of texts'],
    ],
  ],
  [
    'user',
    [
      ['id', 'text; empty without an owner'],
      ['name', 'text'],
      ['email', 'text'],
      ['role', 'text'],
    ],
  ],
  [
    'team',
    [
      ['id', 'text; empty without a team'],
      ['name', 'text'],
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

/** A CEL expression, and a list of what it may use: a click puts it where the caret is. */
export function ExpressionField({
  value,
  onValue,
  fault,
  disabled,
}: {
  value: string
  onValue(value: string): void
  fault: string | undefined
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
        hint="True is a violation. It is checked as you type: syntax, names and types."
        fault={fault}
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
            What it may use
          </summary>
          <div className="flex flex-col gap-2 border-t border-rule px-3 py-2">
            {facts.map(([variable, fields]) => (
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
                title="The moment of the call. Click to insert"
                onClick={() => insert('now')}
                className="mono rounded-sm border border-rule px-1.5 text-xs text-ink-2 hover:border-rule-2 hover:text-ink"
              >
                now
              </button>
            </div>
            <p className="m-0 mt-1 text-xs text-ink-3">For example</p>
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
