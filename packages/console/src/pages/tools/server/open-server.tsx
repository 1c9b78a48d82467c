import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { ApiError } from '../../../api'
import { ErrorState, Headline, Section, Skeleton, Time } from '../../../components'
import { plural } from '../../../format'
import { hasOwnAccount, OwnAccount } from '../account/own-account'
import { ToolSection } from '../review/tool-section'
import type { ToolsSearch } from '../search'
import { countPending, describePending, ServerState, SourceTag } from '../states'
import { UseIt } from '../use-it/use-it'
import { refreshServer, type Server, useLastDay } from '../use-servers'
import { ServerActions } from './server-actions'
import { ServerOverview } from './server-overview'

/** The page of a server: its tools and their approval, then its settings. */
export function OpenServer({ id, search }: { id: string; search: ToolsSearch }) {
  const server = useQuery(refreshServer(id))
  return (
    <>
      <BackToServers />
      {server.data ? (
        <ServerContent server={server.data} search={search} />
      ) : server.error ? (
        <ErrorState
          error={server.error}
          {...(!(server.error instanceof ApiError && server.error.status === 404) && {
            retry: () => void server.refetch(),
          })}
        />
      ) : (
        <Skeleton className="h-80" />
      )}
    </>
  )
}

export const BackToServers = () => (
  <Link
    to="/tools"
    search={({ server: _, tool: __, ...now }) => now}
    className="mb-4 inline-flex items-center gap-1.5 text-sm text-ink-2 no-underline hover:text-ink"
  >
    <ArrowLeft size={14} aria-hidden /> All servers
  </Link>
)

function ServerContent({ server, search }: { server: Server; search: ToolsSearch }) {
  const lastDay = useLastDay()
  return (
    <>
      <header className="mb-4 flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <h2 className="m-0 flex flex-wrap items-center gap-x-3 text-xl leading-8 font-semibold break-words">
            {server.name}
            <span className="flex items-center gap-2 text-sm font-normal">
              <ServerState server={server} />
              <SourceTag server={server} />
            </span>
          </h2>
          <code className="block text-xs break-all text-ink-3">{server.url ?? 'stdio'}</code>
        </div>
        <ServerActions server={server} lastDay={lastDay} />
      </header>
      {server.enabled && server.status === 'failing' && (
        <p role="alert" className="m-0 mb-5 border-l-2 border-bad py-1 pl-3 text-sm">
          {server.statusMessage ?? 'The server is not responding.'}{' '}
          {server.refreshedAt !== null && (
            <span className="text-ink-2">
              The list below is from <Time at={server.refreshedAt} />.
            </span>
          )}
        </p>
      )}
      {server.secretStatus === 'undecryptable' && (
        <p role="alert" className="m-0 mb-5 border-l-2 border-bad py-1 pl-3 text-sm">
          Its headers or client secret cannot be decrypted because the master key is missing, so it is not
          called. Set them again, or restore the key.
        </p>
      )}
      {server.status === 'ok' && server.statusMessage !== null && (
        <p className="m-0 mb-5 border-l-2 border-warn py-1 pl-3 text-sm">{server.statusMessage}.</p>
      )}
      <ServerSummary server={server} />
      <ToolSection server={server} search={search} />
      {hasOwnAccount(server) && (
        <Section title="Your account" note="each person connects their own account">
          <OwnAccount server={server} />
        </Section>
      )}
      <Section title="Server">
        <ServerOverview server={server} lastDay={lastDay} />
      </Section>
      <Section title="Connect an agent" note="at its own URL; /mcp has the tools of all servers">
        <UseIt server={server.name} />
      </Section>
    </>
  )
}

/** States which tools callers see. */
function ServerSummary({ server }: { server: Server }) {
  const { toolCounts, pinning, enabled } = server
  const pending = countPending(server)
  const isUnresponsive = enabled && server.status === 'failing' && pending === 0
  if (isUnresponsive || toolCounts.approved + toolCounts.blocked + pending === 0) return null
  return (
    <Headline>
      {!enabled ? (
        'Disabled: none of its tools can be called.'
      ) : pending === 0 ? (
        <>
          <b>{plural(toolCounts.approved, 'tool')}</b> can be called, all unchanged since approval.
        </>
      ) : pinning === 'block' ? (
        <>
          <b>{describePending(toolCounts)}</b> {pending === 1 ? 'needs' : 'need'} approval; until then,
          callers do not see {pending === 1 ? 'it' : 'them'}.
        </>
      ) : (
        <>
          <b>{describePending(toolCounts)}</b>: not approved, but visible to callers.
        </>
      )}
    </Headline>
  )
}
