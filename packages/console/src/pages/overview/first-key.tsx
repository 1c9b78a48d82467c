import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, baseUrl } from '../../api'
import { Button, CallSnippets, chatPath, ErrorState, Field, Input, modelFor } from '../../components'
import { type CreatedKey, useCreateKey } from '../keys/form/create-key'
import { useOwnModels } from '../keys/use-own-models'

export function FirstKeyForm({ onCreated }: { onCreated(created: CreatedKey): void }) {
  const [name, setName] = useState('first key')
  const create = useCreateKey(onCreated)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim() })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <p className="m-0 max-w-prose text-ink-2">
        Each person, job or application that makes calls has its own key, with its own limits, spend and
        calls. You can revoke each key separately.
      </p>
      <div className="flex flex-wrap items-start gap-2">
        <div className="w-64 max-w-full">
          <Field label="Name" hint="You can change this and all other settings later">
            {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
          </Field>
        </div>
        <Button
          type="submit"
          kind="primary"
          className="mt-5"
          isBusy={create.isPending}
          disabled={name.trim() === ''}
        >
          Create key
        </Button>
      </div>
      {create.error !== null && <ErrorState error={create.error} />}
    </form>
  )
}

/** Snippets for the first call, and a button that makes it from the browser. */
export function FirstCallSnippets({ created }: { created: CreatedKey }) {
  const models = useOwnModels(created.key)
  const model = modelFor(chatPath, models ?? [])
  const make = useMutation({
    mutationFn: async (model: string) => {
      const response = await fetch(`${baseUrl}${chatPath}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' },
        credentials: 'omit',
        body: JSON.stringify({
          model,
          max_tokens: 100,
          messages: [{ role: 'user', content: 'Hello, tally!' }],
        }),
      })
      if (!response.ok) throw new ApiError(response.status, await response.json(), response.headers)
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <CallSnippets value={created.key} models={models ?? []} />
      {model !== null && (
        <div className="flex flex-wrap items-center gap-3 text-sm text-ink-2">
          <Button size="sm" isBusy={make.isPending} onClick={() => make.mutate(model)}>
            Or make this call from the browser
          </Button>
          {model.startsWith('mock/') && (
            <span className="text-xs text-ink-3">
              <code>{model}</code> is a priced model inside the service; nothing leaves it.
            </span>
          )}
        </div>
      )}
      {models?.length === 0 && (
        <p className="m-0 text-warn">
          No model is available yet. Start the service with OPENAI_API_KEY or ANTHROPIC_API_KEY, or configure
          a provider.
        </p>
      )}
      {make.error !== null && <ErrorState error={make.error} />}
    </div>
  )
}
