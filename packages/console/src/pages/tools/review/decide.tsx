import Ban from 'lucide-react/icons/ban'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { Button, Confirm, ErrorState } from '../../../components'
import { plural } from '../../../format'
import { isApprovable } from '../states'
import { type Server, type Tool, useApprove, useBlock } from '../use-servers'

interface DecideProps {
  server: Server
  /** The tool as the user sees it; exactly this definition is approved. */
  tool: Tool
}

export function Decide({ server, tool }: DecideProps) {
  const [confirming, setConfirming] = useState<'approve' | 'block' | null>(null)
  const approve = useApprove(server)
  const block = useBlock(server)
  const close = () => setConfirming(null)
  const isApproved = tool.state === 'approved'
  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-center gap-2">
        {isApprovable(tool) && (
          <Button
            kind="primary"
            icon={<Check size={14} aria-hidden />}
            isBusy={approve.isPending}
            onClick={() => (tool.flags.length > 0 ? setConfirming('approve') : approve.mutate([tool]))}
            aria-label={`Approve ${tool.name}`}
          >
            Approve
          </Button>
        )}
        {tool.state !== 'blocked' && (
          <Button
            kind={isApproved ? 'plain' : 'quiet'}
            icon={<Ban size={14} aria-hidden />}
            isBusy={block.isPending}
            onClick={() => (isApproved ? setConfirming('block') : block.mutate(tool))}
            aria-label={`Block ${tool.name}`}
          >
            Block
          </Button>
        )}
        <span className="text-xs text-ink-3">
          {isApproved || isApprovable(tool) || tool.state === 'blocked' ? hints[tool.state] : ''}
        </span>
      </div>
      {approve.error && <ErrorState error={approve.error} className="mt-2" />}
      <Confirm
        open={confirming === 'approve'}
        onClose={close}
        title={`Approve “${tool.name}”?`}
        action="Approve anyway"
        onConfirm={() => {
          close()
          approve.mutate([tool])
        }}
      >
        <p className="m-0">It has {plural(tool.flags.length, 'flag')}:</p>
        <ul className="my-2 pl-5">
          {[...new Set(tool.flags.map(({ message }) => message))].slice(0, 5).map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
        <p className="m-0 text-ink-2">
          Agents that may call it read its whole definition as if you had written it.
        </p>
      </Confirm>
      <Confirm
        open={confirming === 'block'}
        onClose={close}
        title={`Block “${tool.name}”?`}
        action="Block"
        onConfirm={() => {
          close()
          block.mutate(tool)
        }}
      >
        Callers no longer see it, and calls are rejected within a second, until someone approves it again.
      </Confirm>
    </div>
  )
}

const hints: Record<Tool['state'], string> = {
  approved: 'Callers see it as shown here.',
  changed: 'You approve exactly what is shown here, by its hash.',
  new: 'You approve exactly what is shown here, by its hash.',
  blocked: 'Nobody can call it.',
}
