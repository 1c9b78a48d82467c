import { useState } from 'react'
import { baseUrl } from '../../api'
import { Select } from '../form/select'
import { Tabs } from '../tabs'
import { clientSnippets } from './call-snippet-texts'
import { Snippet } from './copy'
import { type CallableModel, modelFor } from './model-for'

const paths = [...new Set(clientSnippets.map(({ path }) => path))]

/**
 * Shows how to call a model with a key in each common client. Without a value, a placeholder stands for the key.
 * Only the command that sets the environment contains the value; the examples read it from the environment. Each client's example has a
 * model that serves the endpoint which that client calls.
 */
export function CallSnippets({ value, models }: { value: string | null; models: readonly CallableModel[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const choices = models.filter(({ endpoints }) => paths.some((path) => endpoints.includes(path)))
  // Until the models are known, the examples have the one that every local trial has.
  const modelOf = (path: string) => (models.length === 0 ? 'mock/echo' : modelFor(path, models, chosen))
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
          {choices.length > 1 && (
            <Select
              label="Model used in the examples"
              value={chosen ?? choices[0]?.id ?? ''}
              onValue={setChosen}
              choices={choices.map(({ id }) => ({ value: id, label: id }))}
              className="mono h-7"
            />
          )}
        </div>
        <Tabs
          label="Clients"
          tabs={clientSnippets.map(({ id, name, path, note, code }) => {
            const model = modelOf(path)
            return {
              id,
              label: name,
              children:
                model === null ? (
                  <p className="m-0 text-xs text-ink-3">
                    This client calls <code>{path}</code>, which none of the models of this key serves.
                  </p>
                ) : (
                  <>
                    <p className="m-0 mb-1.5 text-xs text-ink-3">{note(model)}</p>
                    <Snippet code={code(model)} />
                  </>
                ),
            }
          })}
        />
      </div>
    </div>
  )
}
