import { Status, Tag, type Tone } from '../../components'
import { plural } from '../../format'
import type { Server, Tool, ToolState } from './use-servers'

const toolStates: Record<ToolState, { tone: Tone; label: string }> = {
  approved: { tone: 'ok', label: 'approved' },
  changed: { tone: 'warn', label: 'changed' },
  new: { tone: 'accent', label: 'new' },
  blocked: { tone: 'bad', label: 'blocked' },
}

export const toneOfTool = (state: ToolState) => toolStates[state].tone

export const ToolStatus = ({ state }: { state: ToolState }) => (
  <Status tone={toolStates[state].tone}>{toolStates[state].label}</Status>
)

/** Whether a tool needs a decision. Tools that the server no longer lists need none. */
export const isPending = ({ state, isGone }: Pick<Tool, 'state' | 'isGone'>) =>
  !isGone && (state === 'changed' || state === 'new')

/** Tools that are gone or ambiguous can only be blocked. */
export const isApprovable = ({ state, isGone, fault }: Tool) =>
  state !== 'approved' && !isGone && fault === null

export const countPending = ({ toolCounts }: Server) => toolCounts.changed + toolCounts.new

/** The availability of a server. */
export function stateOf({ enabled, status, secretStatus }: Server): { tone: Tone; label: string } {
  if (!enabled) return { tone: 'neutral', label: 'disabled' }
  if (secretStatus === 'undecryptable') return { tone: 'bad', label: 'secrets cannot be decrypted' }
  if (status === 'failing') return { tone: 'bad', label: 'not responding' }
  return status === 'ok'
    ? { tone: 'ok', label: 'responding' }
    : { tone: 'neutral', label: 'not contacted yet' }
}

export function ServerState({ server }: { server: Server }) {
  const { tone, label } = stateOf(server)
  return <Status tone={tone}>{label}</Status>
}

/** Marks a server that was not created in the console. */
export const SourceTag = ({ server }: { server: Server }) =>
  server.source === 'file' ? <Tag>read-only</Tag> : null

/** The number of approved, pending and blocked tools; zero counts are left out. */
export function ToolCounts({ server }: { server: Server }) {
  const { approved, blocked } = server.toolCounts
  const pending = countPending(server)
  if (approved + blocked + pending === 0) return <span className="text-ink-3">none</span>
  return (
    <span className="whitespace-nowrap">
      <span className="num">{approved}</span> approved
      {pending > 0 && (
        <>
          {', '}
          <span className="font-medium text-warn">
            <span className="num">{pending}</span> pending
          </span>
        </>
      )}
      {blocked > 0 && (
        <>
          {', '}
          <span className="num">{blocked}</span> blocked
        </>
      )}
    </span>
  )
}

/** For example `2 changed and 1 new tool`. */
export function describePending({ changed, new: added }: { changed: number; new: number }): string {
  if (changed === 0) return plural(added, 'new tool')
  if (added === 0) return plural(changed, 'changed tool')
  return `${changed} changed and ${plural(added, 'new tool')}`
}
