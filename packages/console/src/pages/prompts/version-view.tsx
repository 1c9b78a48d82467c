import { useNavigate } from '@tanstack/react-router'
import { Section, Select, Tabs } from '../../components'
import { useIsManager } from '../../session'
import { AddLabel } from './add-label'
import { DiffView } from './diff-view'
import { Preview } from './preview'
import type { PromptsSearch } from './search'
import type { Prompt, Version } from './use-prompts'

export function VersionView({
  prompt,
  shown,
  versions,
  search,
}: {
  prompt: Prompt
  shown: Version
  versions: readonly Version[]
  search: PromptsSearch
}) {
  const navigate = useNavigate({ from: '/prompts' })
  const isManager = useIsManager()
  const others = versions.filter(({ id }) => id !== shown.id)
  const against =
    others.find(({ version }) => version === search.against) ??
    others.find(({ version }) => version < shown.version) ??
    others[0]
  const text = (
    <pre className="mono m-0 max-h-[60dvh] overflow-auto rounded-md border border-rule bg-raised px-3 py-2.5 !text-xs leading-5 whitespace-pre-wrap">
      {shown.content}
    </pre>
  )
  return (
    <Section
      title={`Version ${shown.version}`}
      aside={isManager && <AddLabel key={shown.id} prompt={prompt} version={shown} />}
      className="!mb-0 min-w-0"
    >
      <Tabs
        key={shown.id}
        label="How the version is shown"
        tabs={[
          ...(against
            ? [
                {
                  id: 'diff',
                  label: 'Changes',
                  children: (
                    <>
                      <div className="mb-2 flex items-center gap-2 text-sm text-ink-2">
                        Compared with
                        <Select
                          label="Compared with"
                          value={String(against.version)}
                          onValue={(value) =>
                            void navigate({
                              search: (now) => ({ ...now, version: shown.version, against: Number(value) }),
                              replace: true,
                            })
                          }
                          choices={others.map(({ version }) => ({
                            value: String(version),
                            label: `version ${version}`,
                          }))}
                        />
                      </div>
                      <DiffView
                        before={against.content}
                        after={shown.content}
                        label={`From version ${against.version} to ${shown.version}`}
                      />
                    </>
                  ),
                },
              ]
            : []),
          { id: 'text', label: 'Text', children: text },
          { id: 'preview', label: 'Filled in', children: <Preview content={shown.content} /> },
        ]}
      />
    </Section>
  )
}
