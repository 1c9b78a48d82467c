import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DescriptionItem, DescriptionList, Id, Money, Time, Unknown } from '../../../components'
import { formatBytes, formatExactDuration, formatInteger } from '../../../format'
import { CallsOfLastDay } from '../list/server-table'
import { ShownText } from '../review/shown-text'
import type { LastDay, Server } from '../use-servers'
import { pinningNames } from './server-draft'

/** The settings of a server and its last 24 hours. */
export function ServerOverview({ server, lastDay }: { server: Server; lastDay: LastDay }) {
  return (
    <div className="grid items-start gap-x-12 gap-y-1.5 border-t border-rule pt-3 md:grid-cols-2">
      <DescriptionList>
        <DescriptionItem name="Reports as">
          {server.serverInfo === null ? (
            <Unknown />
          ) : (
            <ShownText text={`${server.serverInfo.name ?? ''} ${server.serverInfo.version ?? ''}`.trim()} />
          )}
        </DescriptionItem>
        <DescriptionItem name="Protocol">{server.protocolVersion ?? <Unknown />}</DescriptionItem>
        <DescriptionItem name="Tools listed">
          <Time at={server.refreshedAt} />
          <span className="text-ink-3">, refreshed every five minutes</span>
        </DescriptionItem>
        <DescriptionItem name="Authentication">
          <AuthDescription server={server} />
        </DescriptionItem>
        {server.headers.length > 0 && (
          <DescriptionItem name="Headers">
            {server.headers.map((name) => (
              <code key={name} className="block">
                {name}: …
              </code>
            ))}
          </DescriptionItem>
        )}
        {server.source === 'api' && (
          <DescriptionItem name="ID">
            <Id id={server.id} />
          </DescriptionItem>
        )}
      </DescriptionList>
      <DescriptionList>
        <DescriptionItem name="Access">
          {server.open ? (
            'every key, unless an allow list or a policy forbids it'
          ) : (
            <>
              keys, teams and people with its tools on their{' '}
              <Link to="/keys" className="link">
                tool allow list
              </Link>
              , or with a{' '}
              <Link to="/policies" className="link">
                policy
              </Link>{' '}
              that allows them
            </>
          )}
        </DescriptionItem>
        <DescriptionItem name="Unapproved tools">{pinningNames[server.pinning]}</DescriptionItem>
        <DescriptionItem name="Price per call">
          {server.pricePerCallUsd === 0 ? 'free' : <Money usd={server.pricePerCallUsd} />}
        </DescriptionItem>
        <DescriptionItem name="Limits">
          {server.rpmLimit === null ? 'no rate limit' : `${formatInteger(server.rpmLimit)} calls per minute`},{' '}
          {formatExactDuration(server.timeoutMs)} and {formatBytes(server.maxResultBytes)} per call
        </DescriptionItem>
        <DescriptionItem name="Resources">
          <Patterns patterns={server.resources} none="none" />
        </DescriptionItem>
        <DescriptionItem name="Prompts">
          <Patterns patterns={server.prompts} none="none" />
        </DescriptionItem>
        <DescriptionItem name="Last 24 hours">
          <CallsOfLastDay lastDay={lastDay} name={server.name} /> calls
        </DescriptionItem>
      </DescriptionList>
    </div>
  )
}

function AuthDescription({ server: { auth, headers } }: { server: Server }): ReactNode {
  switch (auth.type) {
    case 'none':
      return headers.length > 0 ? 'the headers below, the same for everyone' : 'none'
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
