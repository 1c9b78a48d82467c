import { EmptyState, ErrorState, Headline, Section, Skeleton, Status } from '../../../components'
import { plural } from '../../../format'
import { hasOwnAccount, OwnAccount } from '../account/own-account'
import { UseIt } from '../use-it/use-it'
import { type Server, useServers } from '../use-servers'

/** The tools that a member may call, and the accounts that they are called with. */
export function MemberPage() {
  const { rows, error, retry } = useServers()
  if (error && !rows) return <ErrorState error={error} retry={retry} />
  if (!rows)
    return (
      <>
        <Skeleton className="mb-6 h-9 w-[28rem] max-w-full" />
        <Skeleton className="h-64" />
      </>
    )
  if (rows.length === 0)
    return (
      <EmptyState title="No tools available">
        When a manager allows your keys to call tools, they appear here, with the configuration for your
        agent.
      </EmptyState>
    )
  const tools = rows.reduce((sum, server) => sum + server.tools.length, 0)
  return (
    <>
      <Headline>
        Your agents can call <b>{plural(tools, 'tool')}</b> of {plural(rows.length, 'server')}.
      </Headline>
      {rows.map((server) => (
        <Section key={server.id} title={server.name} note={plural(server.tools.length, 'tool')}>
          <ServerOfMember server={server} />
        </Section>
      ))}
      <Section title="Connect an agent" note="one URL for all tools">
        <UseIt server={null} />
      </Section>
    </>
  )
}

function ServerOfMember({ server }: { server: Server }) {
  return (
    <>
      <ul
        aria-label={`Tools of ${server.name}`}
        className="m-0 mb-3 flex list-none flex-wrap gap-1.5 border-t border-rule p-0 pt-3"
      >
        {server.tools.map(({ name }) => (
          <li key={name} className="mono rounded-sm border border-rule px-1.5 !text-xs leading-5 text-ink-2">
            {name}
          </li>
        ))}
      </ul>
      {server.status === 'failing' && (
        <p className="m-0 mb-2 text-sm">
          <Status tone="bad">The server is not responding.</Status>
        </p>
      )}
      {hasOwnAccount(server) && <OwnAccount server={server} />}
    </>
  )
}
