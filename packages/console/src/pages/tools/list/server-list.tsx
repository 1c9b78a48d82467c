import { useNavigate } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { Button, EmptyState, Headline, Section, Skeleton, useHasBeenTrue } from '../../../components'
import { plural } from '../../../format'
import { useIsManager } from '../../../session'
import { ServerForm } from '../server/server-form'
import { countPending, describePending, stateOf } from '../states'
import { UseIt } from '../use-it/use-it'
import { type Server, useLastDay, useServers } from '../use-servers'
import { ServerTable } from './server-table'

/** The MCP servers, and tools that need approval. */
export function ServerList() {
  const isManager = useIsManager()
  const navigate = useNavigate({ from: '/tools' })
  const list = useServers()
  const lastDay = useLastDay()
  const [isAdding, setAdding] = useState(false)
  const isKnown = useHasBeenTrue(list.rows !== undefined || list.error !== null)
  const open = (server: string) => void navigate({ search: (now) => ({ ...now, server, tool: undefined }) })
  const add = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      Add a server
    </Button>
  )
  return (
    <>
      {isKnown ? (
        list.rows && <ServerListSummary servers={list.rows} />
      ) : (
        <Skeleton className="mb-6 h-9 w-[28rem] max-w-full" />
      )}
      <Section title="Servers" aside={list.rows && list.rows.length > 0 && add}>
        <ServerTable
          list={list}
          lastDay={lastDay}
          onOpen={({ id }) => open(id)}
          empty={
            <EmptyState title="No MCP servers yet" action={add}>
              An MCP server has tools that agents call: to search, read files or open tickets. Add its URL and
              approve its tools. Permitted keys call them through this service, with limits, policies and a
              receipt for each call.
            </EmptyState>
          }
        />
      </Section>
      {list.rows && list.rows.length > 0 && (
        <Section title="Connect an agent" note="one URL for all servers that a key may use">
          <UseIt server={null} />
        </Section>
      )}
      {isAdding && (
        <ServerForm server={null} onClose={() => setAdding(false)} onCreated={({ id }) => open(id)} />
      )}
    </>
  )
}

/** States how many tools need approval and which servers do not respond. */
function ServerListSummary({ servers }: { servers: readonly Server[] }) {
  if (servers.length === 0) return null
  const enabled = servers.filter((server) => server.enabled)
  const failing = enabled.filter((server) => stateOf(server).tone === 'bad')
  const pending = enabled.filter((server) => countPending(server) > 0)
  const sum = (count: (server: Server) => number) => enabled.reduce((all, server) => all + count(server), 0)
  const counts = { changed: sum((each) => each.toolCounts.changed), new: sum((each) => each.toolCounts.new) }
  const [firstPending] = pending
  const [firstFailing] = failing
  return (
    <Headline>
      {firstPending ? (
        <>
          <b>{describePending(counts)}</b> of{' '}
          {pending.length === 1 ? firstPending.name : plural(pending.length, 'server')}{' '}
          {counts.changed + counts.new === 1 ? 'needs' : 'need'} approval
          {firstFailing && (
            <>
              ; {failing.length === 1 ? firstFailing.name : plural(failing.length, 'server')}{' '}
              {failing.length === 1 ? 'does' : 'do'} not respond
            </>
          )}
          .
        </>
      ) : firstFailing ? (
        <>
          <b>{failing.length === 1 ? firstFailing.name : plural(failing.length, 'server')}</b>{' '}
          {failing.length === 1 ? 'does' : 'do'} not respond.
        </>
      ) : enabled.length === 0 ? (
        'Every server is disabled: no tool can be called.'
      ) : (
        <>
          <b>
            {plural(
              sum((each) => each.toolCounts.approved),
              'tool',
            )}
          </b>{' '}
          of {plural(enabled.length, 'server')}, all unchanged since approval.
        </>
      )}
    </Headline>
  )
}
