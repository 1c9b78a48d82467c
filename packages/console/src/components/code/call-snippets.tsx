import { useState } from 'react'
import { baseUrl } from '../../api'
import { Select } from '../form/select'
import { Tabs } from '../tabs'
import { snippetsFor } from './call-snippet-texts'
import { Snippet } from './copy'

/**
 * Shows how to call a model with a key in each common client. Without a value, a placeholder stands for the key.
 * Only the command that sets the environment contains the value; the examples read it from the environment.
 */
export function CallSnippets({ value, models }: { value: string | null; models: readonly string[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const model = chosen ?? models[0] ?? 'mock/echo'
  const snippets = snippetsFor(model)
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="m-0 mb-1.5 text-xs font-medium text-ink-2">
          Set these in the shell that makes the calls
        </p>
        <Snippet
          label="Copy"
          code={`export TALLYSTICK_URL=${baseUrl}\nexport TALLYSTICK_KEY=${value ?? 'tallystick_sk_…'}`}
        />
      </div>
      <div>
        <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
          <p className="m-0 text-xs font-medium text-ink-2">Then, with any client</p>
          {models.length > 1 && (
            <Select
              label="Model used in the examples"
              value={model}
              onValue={setChosen}
              choices={models.map((each) => ({ value: each, label: each }))}
              className="mono h-7"
            />
          )}
        </div>
        <Tabs
          label="Clients"
          tabs={snippets.map(({ id, name, note, code }) => ({
            id,
            label: name,
            children: (
              <>
                <p className="m-0 mb-1.5 text-xs text-ink-3">{note}</p>
                <Snippet code={code} />
              </>
            ),
          }))}
        />
      </div>
    </div>
  )
}
