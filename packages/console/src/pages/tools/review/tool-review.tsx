import Flag from 'lucide-react/icons/flag'
import type { ReactNode } from 'react'
import { CallsLink } from '../../../calls-link'
import { Button, Id, Tabs, Time } from '../../../components'
import { keepFocus } from '../../../components/overlay/keep-focus'
import { plural } from '../../../format'
import { useIsManager } from '../../../session'
import { ToolStatus } from '../states'
import { type Server, type Tool, useLastDay } from '../use-servers'
import { ChangeList } from './change-view'
import { Decide } from './decide'
import { DefinitionJson, DefinitionView } from './definition-view'
import { ShownText } from './shown-text'
import { useReviewedTools } from './use-reviewed-tools'

/** A tool: its definition, what changed, and the decision. */
export function ToolReview({ server, tool }: { server: Server; tool: Tool }) {
  const { shown, isOutdated, showCurrent } = useReviewedTools([tool])
  const current = shown[0] ?? tool
  return (
    <ToolInView
      server={server}
      tool={current}
      isOutdated={isOutdated(current)}
      onShowCurrent={showCurrent}
      isAlone
    />
  )
}

interface ToolInViewProps {
  server: Server
  tool: Tool
  /** The server lists a newer definition. */
  isOutdated: boolean
  onShowCurrent(): void
  /** The tool is shown alone, not in a list of pending tools. */
  isAlone?: boolean
}

export function ToolInView({ server, tool, isOutdated, onShowCurrent, isAlone = false }: ToolInViewProps) {
  const isManager = useIsManager()
  return (
    <article aria-label={tool.name}>
      <header className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="mono m-0 !text-base font-semibold break-all">{tool.name}</h3>
        <span className="text-sm">
          <ToolStatus state={tool.state} />
        </span>
        {isAlone && <CallsOfTool server={server} tool={tool} />}
      </header>
      <History tool={tool} />
      {tool.isGone && <Note>The server no longer lists it, so callers do not see it.</Note>}
      {tool.fault !== null && <Note>{tool.fault}.</Note>}
      <Flags tool={tool} />
      <Definition tool={tool} />
      {isOutdated ? (
        <OutdatedNotice onRenew={onShowCurrent} />
      ) : (
        isManager && <Decide server={server} tool={tool} />
      )}
    </article>
  )
}

const OutdatedNotice = ({ onRenew }: { onRenew(): void }) => (
  <div
    role="alert"
    className="mt-4 flex flex-wrap items-center gap-3 border-l-2 border-warn py-1.5 pl-3 text-sm"
  >
    <span>The tool changed while you were reviewing it: what is shown above is outdated.</span>
    <Button
      size="sm"
      onClick={() => {
        onRenew()
        keepFocus()
      }}
    >
      Show the current version
    </Button>
  </div>
)

const Note = ({ children }: { children: ReactNode }) => (
  <p className="m-0 mb-3 border-l-2 border-rule-2 py-0.5 pl-3 text-sm text-ink-2">{children}</p>
)

/** When the definition last changed and who approved it. */
function History({ tool }: { tool: Tool }) {
  return (
    <p className="m-0 mb-3 text-xs text-ink-3">
      Unchanged since <Time at={tool.seenAt} /> · <Id id={tool.hash} className="!text-xs" />
      {tool.approvedAt !== null && (
        <>
          {' · '}
          {tool.approvedHash === tool.hash ? 'approved' : 'a previous version was approved'}
          {tool.approvedBy !== null && ` by ${nameOf(tool.approvedBy)}`} <Time at={tool.approvedAt} />
        </>
      )}
    </p>
  )
}

const nameOf = ({ name, userId, keyId }: NonNullable<Tool['approvedBy']>) =>
  name ?? userId ?? keyId ?? 'someone'

function CallsOfTool({ server, tool }: { server: Server; tool: Tool }) {
  const { span } = useLastDay()
  if (!span) return null
  return (
    <span className="ml-auto text-sm">
      <CallsLink
        calls={{ ...span, filter: { server: server.name, tool: tool.name } }}
        className="!text-accent underline decoration-rule-2"
      >
        Its calls
      </CallsLink>
    </span>
  )
}

/** Warnings for the reviewer. */
function Flags({ tool: { flags } }: { tool: Tool }) {
  if (flags.length === 0) return null
  return (
    <div
      role="group"
      aria-label="Flags"
      className="mb-4 border-l-2 border-warn bg-warn-soft/50 py-2 pr-3 pl-3 text-sm"
    >
      <p className="m-0 flex items-center gap-1.5 font-medium text-warn">
        <Flag size={13} aria-hidden /> {plural(flags.length, 'thing')} to review
      </p>
      <ul className="m-0 mt-1 list-none p-0">
        {flags.map(({ path, message }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two flags may have the same text
          <li key={n} className="py-0.5">
            {path !== '' && (
              <>
                <code className="break-all">
                  <ShownText text={path} />
                </code>
                :{' '}
              </>
            )}
            <ShownText text={message} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Definition({ tool }: { tool: Tool }) {
  const readable = <DefinitionView definition={tool.definition} />
  const json = <DefinitionJson definition={tool.definition} />
  const isChanged = tool.diff.length > 0
  return (
    <Tabs
      key={tool.hash}
      label={`View of ${tool.name}`}
      tabs={[
        ...(isChanged
          ? [
              {
                id: 'diff',
                label: `Changes (${tool.diff.length})`,
                children: <ChangeList tool={tool} />,
              },
            ]
          : []),
        { id: 'definition', label: isChanged ? 'Full definition' : 'Definition', children: readable },
        { id: 'json', label: 'JSON', children: json },
      ]}
    />
  )
}
