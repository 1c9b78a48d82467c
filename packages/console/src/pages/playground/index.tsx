import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button, ErrorState } from '../../components'
import { dialectFor } from './dialects'
import { KeyBar } from './key-bar'
import { firstSettings, RequestForm, type Settings } from './request-form'
import { ResponseView } from './response'
import { type Model, readModels } from './send'
import { useKey } from './use-key'
import { useRun } from './use-run'

export default function PlaygroundPage() {
  const search = useSearch({ from: '/app/playground' })
  const navigate = useNavigate({ from: '/playground' })
  const keys = useKey()
  const models = useModels(keys.current?.value ?? null)
  const [settings, setSettings] = useState<Settings>(firstSettings)
  const { run, start, cancel, clear } = useRun()
  const change = (changed: Partial<Settings>) => setSettings((before) => ({ ...before, ...changed }))
  const model =
    search.model ?? models.list?.find(({ id }) => id === 'mock/echo')?.id ?? models.list?.[0]?.id ?? ''
  const provider = models.list?.find(({ id }) => id === model)?.owned_by ?? ''
  const dialect = settings.dialect ?? dialectFor(provider)
  const isRunning = run?.state === 'sending' || run?.state === 'receiving'
  const messages = settings.messages.filter(({ content }) => content.trim() !== '')
  const canSend = keys.current !== null && model !== '' && messages.length > 0
  const send = () => {
    if (!keys.current || !canSend) return
    const { prompt: id, version } = search
    void start(
      {
        model,
        system: id === undefined ? settings.system : '',
        messages,
        maxOutputTokens: settings.maxOutputTokens === '' ? null : Number(settings.maxOutputTokens),
        temperature: settings.temperature === '' ? null : Number(settings.temperature),
        stream: settings.stream,
        prompt:
          id !== undefined && version !== undefined ? { id, version, variables: settings.variables } : null,
      },
      dialect,
      keys.current.value,
    )
  }
  const continueConversation = () => {
    if (!run) return
    change({
      messages: [...messages, { role: 'assistant', content: run.text }, { role: 'user', content: '' }],
    })
    clear()
  }
  return (
    <>
      <KeyBar keys={keys} />
      {models.error !== null && <ErrorState error={models.error} retry={models.retry} className="mb-6" />}
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <form
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
            if (event.key === 'Escape' && isRunning) cancel()
          }}
        >
          <RequestForm
            settings={settings}
            onChange={change}
            models={models.list}
            model={model}
            onModel={(next) =>
              void navigate({ search: (now) => ({ ...now, model: next || undefined }), replace: true })
            }
            dialect={dialect}
            search={search}
          />
          <div className="flex flex-wrap items-center gap-3 border-t border-rule mt-4 pt-4">
            <Button kind="primary" type="submit" disabled={!canSend || isRunning} isBusy={isRunning}>
              {isRunning ? 'Sending …' : 'Send'}
            </Button>
            <span className="text-xs text-ink-3">
              {keys.current === null
                ? 'Choose a key above'
                : messages.length === 0
                  ? 'Enter a message first'
                  : 'or Ctrl Enter; Escape cancels'}
            </span>
          </div>
        </form>
        {run ? (
          <ResponseView run={run} onCancel={cancel} onContinue={continueConversation} />
        ) : (
          <p className="m-0 border-t border-rule pt-4 text-sm text-ink-3 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-6">
            The response appears here, with its cost, checks and a receipt that is verified in this browser.
          </p>
        )}
      </div>
    </>
  )
}

/** The models that the key may call. They bypass the query cache, because they are requested with that key. */
function useModels(key: string | null) {
  const [list, setList] = useState<readonly Model[]>()
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry
  useEffect(() => {
    setError(null)
    setList(undefined)
    if (key === null) return
    const controller = new AbortController()
    readModels(key, controller.signal).then(setList, (failed: unknown) => {
      if (!controller.signal.aborted) setError(failed)
    })
    return () => controller.abort()
  }, [key, attempt])
  return { list, error, retry: () => setAttempt((before) => before + 1) }
}
