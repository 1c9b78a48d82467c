import { Status, Tag, type Tone } from '../../components'
import { plural } from '../../format'
import type { Server, Tool, ToolState } from './use-servers'

const toolStates: Record<ToolState, { tone: Tone; words: string }> = {
  approved: { tone: 'ok', words: 'approved' },
  changed: { tone: 'warn', words: 'changed' },
  new: { tone: 'accent', words: 'new' },
  blocked: { tone: 'bad', words: 'blocked' },
}

export const toneOfTool = (state: ToolState) => toolStates[state].tone

export const ToolStatus = ({ state }: { state: ToolState }) => (
  <Status tone={toolStates[state].tone}>{toolStates[state].words}</Status>
)

/** Somebody has to decide about it. What the server no longer lists needs no decision. */
export const isWaiting = ({ state, isGone }: Pick<Tool, 'state' | 'isGone'>) =>
  !isGone && (state === 'changed' || state === 'new')

/** What is gone or ambiguous can only be blocked. */
export const isApprovable = ({ state, isGone, fault }: Tool) =>
  state !== 'approved' && !isGone && fault === null

export const waitingOf = ({ toolCounts }: Server) => toolCounts.changed + toolCounts.new

/** Whether it answers, in a word. */
export function stateOf({ enabled, status, secretStatus }: Server): { tone: Tone; words: string } {
  if (!enabled) return { tone: 'neutral', words: 'disabled' }
  if (secretStatus === 'undecryptable') return { tone: 'bad', words: 'secrets cannot be decrypted' }
  if (status === 'failing') return { tone: 'bad', words: 'not responding' }
  return status === 'ok'
    ? { tone: 'ok', words: 'responding' }
    : { tone: 'neutral', words: 'not contacted yet' }
}

export function ServerState({ server }: { server: Server }) {
  const { tone, words } = stateOf(server)
  return <Status tone={tone}>{words}</Status>
}

/** Who set it up, where that was not done here. */
export const SourceTag = ({ server }: { server: Server }) =>
  server.source === 'file' ? <Tag>read-only</Tag> : null

/** Approved, waiting and blocked, in words; without what there is none of. */
export function ToolCounts({ server }: { server: Server }) {
  const { approved, blocked } = server.toolCounts
  const waiting = waitingOf(server)
  if (approved + blocked + waiting === 0) return <span className="text-ink-3">none</span>
  return (
    <span className="whitespace-nowrap">
      <span className="num">{approved}</span> approved
      {waiting > 0 && (
        <>
          {', '}
          <span className="font-medium text-warn">
            <span className="num">{waiting}</span> waiting
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

/** `2 changed and 1 new tool`. */
export function wordsOfWaiting({ changed, new: fresh }: { changed: number; new: number }): string {
  if (changed === 0) return plural(fresh, 'new tool')
  if (fresh === 0) return plural(changed, 'changed tool')
  return `${changed} changed and ${plural(fresh, 'new tool')}`
}
