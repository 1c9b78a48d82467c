import { cx, Time } from '../../components'
import { LabelChip, useDropTarget } from './labels'
import type { LabelMove, Prompt, Version } from './use-prompts'

export interface VersionsProps {
  prompt: Prompt
  versions: readonly Version[]
  shown: Version | undefined
  onShow(version: Version): void
  onMove(move: LabelMove): void
  onRemove(label: string): void
  canMove: boolean
}

/** The versions, newest first, with their labels. */
export function Versions({ versions, shown, onShow, ...rest }: VersionsProps) {
  return (
    <ol aria-label="Versions" className="m-0 list-none p-0">
      {versions.map((version, n) => (
        <VersionRow
          key={version.id}
          version={version}
          versions={versions}
          isNewest={n === 0}
          isShown={version.id === shown?.id}
          onShow={() => onShow(version)}
          {...rest}
        />
      ))}
    </ol>
  )
}

function VersionRow({
  prompt,
  version,
  versions,
  isNewest,
  isShown,
  onShow,
  onMove,
  onRemove,
  canMove,
}: Omit<VersionsProps, 'shown' | 'onShow'> & {
  version: Version
  isNewest: boolean
  isShown: boolean
  onShow(): void
}) {
  const { isOver, handlers } = useDropTarget((label) => {
    if (prompt.labels[label]?.versionId !== version.id) onMove({ label, version })
  })
  const labels = Object.entries(prompt.labels).filter(([, { versionId }]) => versionId === version.id)
  return (
    <li
      {...(canMove && handlers)}
      className={cx(
        'border-b border-rule',
        isShown && 'bg-accent-soft',
        isOver && 'bg-accent-soft outline-2 -outline-offset-2 outline-accent outline-dashed',
      )}
    >
      <button
        type="button"
        onClick={onShow}
        aria-current={isShown ? 'true' : undefined}
        className="flex w-full items-baseline justify-between gap-3 px-2 pt-2 pb-1 text-left text-sm focus-visible:-outline-offset-2"
      >
        <span className="font-medium">Version {version.version}</span>
        <Time at={version.createdAt} className="text-xs text-ink-3" />
      </button>
      <div className="flex min-h-6 flex-wrap items-center gap-1 px-2 pb-2">
        {labels.map(([label]) => (
          <LabelChip
            key={label}
            label={label}
            at={version}
            versions={versions}
            onMove={onMove}
            onRemove={onRemove}
            canMove={canMove}
          />
        ))}
        {isNewest && <span className="text-2xs text-ink-3">latest</span>}
      </div>
    </li>
  )
}
