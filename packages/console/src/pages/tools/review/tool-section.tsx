import { ErrorState, Section, Skeleton } from '../../../components'
import type { ToolsSearch } from '../search'
import { isPending } from '../states'
import { type Server, type Tool, useTools } from '../use-servers'
import { ReviewAll } from './review-all'
import { ToolList } from './tool-list'
import { ToolReview } from './tool-review'

/** The tools of a server, beside the chosen tool or all pending ones. */
export function ToolSection({ server, search }: { server: Server; search: ToolsSearch }) {
  const { data, error, refetch } = useTools(server.id)
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} className="mb-10" />
  const tools = data?.data
  if (tools?.length === 0)
    return (
      <Section title="Tools">
        <p className="m-0 border-t border-rule py-3 text-sm text-ink-2">
          {server.refreshedAt !== null
            ? 'The server has no tools.'
            : server.connected === false
              ? 'The server requires a personal account. Connect yours below to list its tools.'
              : 'The server has not responded yet, so its tools are unknown.'}
        </p>
      </Section>
    )
  return (
    <Section title="Tools">
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 border-t border-rule pt-3 lg:grid-cols-[17rem_minmax(0,1fr)]">
        {tools ? <ToolList tools={tools} chosen={search.tool} /> : <Skeleton className="h-64" />}
        <div className="min-w-0">
          {tools ? (
            <ToolSectionContent server={server} tools={tools} name={search.tool} />
          ) : (
            <Skeleton className="h-64" />
          )}
        </div>
      </div>
    </Section>
  )
}

function ToolSectionContent({
  server,
  tools,
  name,
}: {
  server: Server
  tools: readonly Tool[]
  name: string | undefined
}) {
  const chosen = name === undefined ? undefined : tools.find((tool) => tool.name === name)
  if (name !== undefined && chosen === undefined)
    return (
      <p className="m-0 text-sm text-ink-2">
        {server.name} has no tool “{name}”.
      </p>
    )
  if (chosen) return <ToolReview key={chosen.name} server={server} tool={chosen} />
  const pending = tools.filter(isPending)
  // Stays mounted once shown, so that approving the last tool does not leave an empty area.
  return <ReviewAll key={server.id} server={server} pending={pending} />
}
