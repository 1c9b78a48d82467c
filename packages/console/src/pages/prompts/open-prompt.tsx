import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Play from 'lucide-react/icons/play'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { ApiError, apiQuery } from '../../api'
import { Button, buttonClass, Confirm, EmptyState, ErrorState, Id, Section, Skeleton } from '../../components'
import { useIsManager } from '../../session'
import { LabelDialogs } from './labels'
import { NewVersion } from './new-version'
import type { PromptsSearch } from './search'
import { type LabelMove, type Prompt, useDeletePrompt, useVersions } from './use-prompts'
import { VersionView } from './version-view'
import { Versions } from './versions'

export function OpenPrompt({ id, search }: { id: string; search: PromptsSearch }) {
  const prompt = useQuery(apiQuery('/v1/prompts/{id}', { params: { path: { id } } }))
  return (
    <>
      <Link
        to="/prompts"
        search={({ prompt: _, version: __, against: ___, ...now }) => now}
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-ink-2 no-underline hover:text-ink"
      >
        <ArrowLeft size={14} aria-hidden /> All prompts
      </Link>
      {prompt.data ? (
        <PromptContent prompt={prompt.data} search={search} />
      ) : prompt.error ? (
        <ErrorState
          error={prompt.error}
          {...(!(prompt.error instanceof ApiError && prompt.error.status === 404) && {
            retry: () => void prompt.refetch(),
          })}
        />
      ) : (
        <Skeleton className="h-80" />
      )}
    </>
  )
}

function PromptContent({ prompt, search }: { prompt: Prompt; search: PromptsSearch }) {
  const navigate = useNavigate({ from: '/prompts' })
  const isManager = useIsManager()
  const [openDialog, setOpenDialog] = useState<'version' | 'delete' | null>(null)
  const [move, setMove] = useState<LabelMove | null>(null)
  const [removed, setRemoved] = useState<string | null>(null)
  const remove = useDeletePrompt(prompt.id)
  const list = useVersions(prompt.id)
  const versions = list.data
  const shown = versions?.find(({ version }) => version === search.version) ?? versions?.[0]
  const show = (version: number) =>
    void navigate({ search: (now) => ({ ...now, version, against: undefined }), replace: true })
  const labels = Object.keys(prompt.labels)
  return (
    <>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <h2 className="m-0 text-xl leading-8 font-semibold break-words">{prompt.name}</h2>
          <p className="m-0 text-sm text-ink-2">
            {prompt.description} <Id id={prompt.id} className="text-xs" />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {shown && (
            <Link
              to="/playground"
              search={{ prompt: prompt.id, version: shown.version }}
              className={buttonClass('plain')}
            >
              <Play size={14} aria-hidden /> Try it
            </Link>
          )}
          {isManager && (
            <>
              <Button
                kind="primary"
                icon={<Plus size={14} aria-hidden />}
                onClick={() => setOpenDialog('version')}
                disabled={versions === undefined}
              >
                New version
              </Button>
              <Button kind="danger" onClick={() => setOpenDialog('delete')}>
                Delete
              </Button>
            </>
          )}
        </div>
      </header>
      {list.error ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : versions?.length === 0 ? (
        <EmptyState title="No versions yet">
          {isManager ? 'Create the first one with “New version”.' : 'A manager creates the first one.'}
        </EmptyState>
      ) : (
        <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <Section
            title="Versions"
            note={isManager && labels.length > 0 ? 'drag a label to move it' : undefined}
            className="!mb-0"
          >
            {versions ? (
              <div className="max-h-[70dvh] overflow-y-auto">
                <Versions
                  prompt={prompt}
                  versions={versions}
                  shown={shown}
                  onShow={({ version }) => show(version)}
                  onMove={setMove}
                  onRemove={setRemoved}
                  canMove={isManager}
                />
                {list.hasNextPage && (
                  <Button size="sm" kind="quiet" className="mt-2" onClick={() => void list.fetchNextPage()}>
                    Older versions
                  </Button>
                )}
              </div>
            ) : (
              <Skeleton className="h-48" />
            )}
          </Section>
          {shown && versions ? (
            <VersionView prompt={prompt} shown={shown} versions={versions} search={search} />
          ) : (
            <Skeleton className="h-64" />
          )}
        </div>
      )}
      {openDialog === 'version' && (
        <NewVersion
          promptId={prompt.id}
          base={shown?.content ?? ''}
          onClose={() => setOpenDialog(null)}
          onCreated={(version) => {
            setOpenDialog(null)
            show(version)
          }}
        />
      )}
      <LabelDialogs
        prompt={prompt}
        move={move}
        removed={removed}
        onClose={() => {
          setMove(null)
          setRemoved(null)
        }}
      />
      <Confirm
        open={openDialog === 'delete'}
        onClose={() => setOpenDialog(null)}
        title={`Delete “${prompt.name}”?`}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ search: ({ prompt: _, version: __, ...now }) => now }),
            onError: () => setOpenDialog(null),
          })
        }
      >
        Calls that name it will get a 400.
        {labels.length > 0 && ` It is in use: its labels ${labels.join(', ')} are deleted with it.`} Its
        versions cannot be restored.
      </Confirm>
    </>
  )
}
