import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Fact, Facts, Id, Money, Time, Unknown } from '../../../components'
import { formatBytes, formatInteger, formatSetTime } from '../../../format'
import { CallsOfLastDay } from '../list/server-table'
import { ShownText } from '../review/shown-text'
import type { LastDay, Server } from '../use-servers'
import { pinningNames } from './server-draft'

/** The settings of a server and its last 24 hours. */
export function ServerFacts({ server, lastDay }: { server: Server; lastDay: LastDay }) {
  return (
    <div className="grid items-start gap-x-12 gap-y-1.5 border-t border-rule pt-3 md:grid-cols-2">
      <Facts>
        <Fact name="Reports as">
          {server.serverInfo === null ? (
            <Unknown />
          ) : (
            <ShownText text={`${server.serverInfo.name ?? ''} ${server.serverInfo.version ?? ''}`.trim()} />
          )}
        </Fact>
        <Fact name="Protocol">{server.protocolVersion ?? <Unknown />}</Fact>
        <Fact name="Listed">
          <Time at={server.refreshedAt} />
          <span className="text-ink-3">, and every five minutes</span>
        </Fact>
        <Fact name="Authentication">
          <CalledWith server={server} />
        </Fact>
        {server.headers.length > 0 && (
          <Fact name="Headers">
            {server.headers.map((name) => (
              <code key={name} className="block">
                {name}: …
              </code>
            ))}
          </Fact>
        )}
        {server.source === 'api' && (
          <Fact name="Id">
            <Id id={server.id} />
          </Fact>
        )}
      </Facts>
      <Facts>
        <Fact name="Who may call">
          {server.open ? (
            'every key, unless a list or a policy says otherwise'
          ) : (
            <>
              keys, teams and people whose{' '}
              <Link to="/keys" className="link">
                list of tools
              </Link>{' '}
              names it, or whom a{' '}
              <Link to="/policies" className="link">
                policy
              </Link>{' '}
              allows it
            </>
          )}
        </Fact>
        <Fact name="Unapproved tools">{pinningNames[server.pinning]}</Fact>
        <Fact name="Price per call">
          {server.pricePerCallUsd === 0 ? 'nothing' : <Money usd={server.pricePerCallUsd} />}
        </Fact>
        <Fact name="At most">
          {server.rpmLimit === null ? 'no rate limit' : `${formatInteger(server.rpmLimit)} calls per minute`},{' '}
          {formatSetTime(server.timeoutMs)} and {formatBytes(server.maxResultBytes)} each
        </Fact>
        <Fact name="Resources">
          <Patterns patterns={server.resources} none="none can be read" />
        </Fact>
        <Fact name="Prompts">
          <Patterns patterns={server.prompts} none="none can be used" />
        </Fact>
        <Fact name="Last 24 hours">
          <CallsOfLastDay lastDay={lastDay} name={server.name} /> calls
        </Fact>
      </Facts>
    </div>
  )
}

function CalledWith({ server: { auth, headers } }: { server: Server }): ReactNode {
  switch (auth.type) {
    case 'none':
      return headers.length > 0 ? 'the headers below, the same for everyone' : 'nothing'
    case 'header':
      return (
        <>
          what each person stored for <code>{auth.header}</code>
        </>
      )
    case 'oauth':
      return 'the consent of each person (OAuth)'
    case 'passthrough':
      return 'the caller’s own Authorization'
  }
}

const Patterns = ({ patterns, none }: { patterns: readonly string[]; none: string }) =>
  patterns.length === 0 ? (
    <span className="text-ink-3">{none}</span>
  ) : (
    patterns.map((pattern) => (
      <code key={pattern} className="block break-all">
        {pattern}
      </code>
    ))
  )
