import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { Button, Confirm, ErrorState } from '../../../components'
import { plural } from '../../../format'
import { useIsManager } from '../../../session'
import { isApprovable } from '../states'
import { type Server, type Tool, useApprove } from '../use-servers'
import { ToolInView } from './tool-review'
import { useReviewedTools } from './use-reviewed-tools'

/** The number of tools that are reviewed at once; the next ones follow after the decision. */
const perPage = 25

/** All pending tools, with one decision for those that are shown. */
export function ReviewAll({ server, pending }: { server: Server; pending: readonly Tool[] }) {
  const isManager = useIsManager()
  const [isConfirming, setConfirming] = useState(false)
  const approve = useApprove(server)
  const { shown: open, isOutdated, showCurrent } = useReviewedTools(pending, perPage)
  const current = open.filter((tool) => isApprovable(tool) && !isOutdated(tool))
  const flagged = current.filter(({ flags }) => flags.length > 0)
  const more = pending.length - open.length
  const showNext = () => {
    approve.reset()
    showCurrent()
  }
  const send = () => {
    setConfirming(false)
    approve.mutate(current)
  }
  if (pending.length === 0)
    return (
      <p className="m-0 text-sm text-ink-2">
        Nothing needs approval. Choose a tool to see its definition and who approved it.
      </p>
    )
  return (
    <>
      {open.map((tool) => (
        <div key={tool.name} className="mb-6 border-b border-rule pb-6">
          <ToolInView server={server} tool={tool} isOutdated={isOutdated(tool)} onShowCurrent={showNext} />
        </div>
      ))}
      {approve.error && (
        <div className="mb-4">
          <ErrorState error={approve.error} />
          <p className="m-0 mt-1 pl-3.5 text-sm text-ink-2">No tools approved.</p>
        </div>
      )}
      {more > 0 && (
        <p className="m-0 mb-4 text-sm text-ink-2">
          {plural(more, 'more tool pending', 'more tools pending')}.{' '}
          <Button size="sm" onClick={showNext}>
            {open.length === 0 ? 'Show them' : 'Show the rest'}
          </Button>
        </p>
      )}
      {isManager && current.length > 1 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            kind="primary"
            icon={<Check size={14} aria-hidden />}
            isBusy={approve.isPending}
            onClick={() => setConfirming(true)}
          >
            Approve all {current.length} shown
          </Button>
          <span className="text-xs text-ink-3">Each as shown above, by its hash.</span>
        </div>
      )}
      <Confirm
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Approve ${plural(current.length, 'tool')} of ${server.name}?`}
        action={`Approve ${current.length}`}
        kind="primary"
        onConfirm={send}
      >
        <p className="m-0 break-words">
          {current.map(({ name }) => name).join(', ')}: everyone who may call {server.name} will see them.
        </p>
        {flagged.length > 0 && (
          <p className="m-0 mt-2 text-warn">
            {plural(flagged.length, 'of them is', 'of them are')} flagged:{' '}
            {flagged.map(({ name }) => name).join(', ')}.
          </p>
        )}
      </Confirm>
    </>
  )
}
