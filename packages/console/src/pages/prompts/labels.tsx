import ChevronDown from 'lucide-react/icons/chevron-down'
import { type DragEvent, useState } from 'react'
import { Confirm, cx, ErrorState, Menu } from '../../components'
import { type LabelMove, type Prompt, useDeleteLabel, useSetLabel, type Version } from './use-prompts'

/** The drag type of a label, so that other dropped content is ignored. */
const dragType = 'application/x-tallystick-label'

/** A label of a version. It can be moved by dragging or by its menu. */
export function LabelChip({
  label,
  at,
  versions,
  onMove,
  onRemove,
  canMove,
}: {
  label: string
  at: Version
  versions: readonly Version[]
  onMove(move: LabelMove): void
  onRemove(label: string): void
  canMove: boolean
}) {
  const chipClass = cx(
    'inline-flex h-5 items-center rounded-sm border px-1.5 text-2xs font-medium',
    label === 'production' ? 'border-accent text-accent' : 'border-rule-2 text-ink-2',
  )
  if (!canMove) return <span className={chipClass}>{label}</span>
  const others = versions.filter(({ id }) => id !== at.id)
  // The menu button is a sibling of the draggable element: it opens on pointer down, which would end a drag.
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu inside offers the same by keyboard
    <span
      draggable
      title={`Drag ${label} to another version`}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, label)
        event.dataTransfer.effectAllowed = 'move'
      }}
      className={cx(chipClass, 'cursor-grab bg-raised pr-0.5 active:cursor-grabbing')}
    >
      {label}
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Move or delete the label ${label}`}
            className="ml-0.5 inline-flex size-4 items-center justify-center rounded-xs hover:bg-sunken"
          >
            <ChevronDown size={11} aria-hidden />
          </button>
        }
        items={[
          ...others.map((version) => ({
            label: `Move to version ${version.version}`,
            onSelect: () => onMove({ label, version }),
          })),
          { label: 'Delete label', tone: 'bad' as const, onSelect: () => onRemove(label) },
        ]}
      />
    </span>
  )
}

/** Handlers for a version that labels can be dropped on. */
export function useDropTarget(onLabel: (label: string) => void) {
  const [isOver, setOver] = useState(false)
  const isLabel = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!isLabel(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        setOver(false)
        if (!isLabel(event)) return
        event.preventDefault()
        onLabel(event.dataTransfer.getData(dragType))
      },
    },
  }
}

/** Confirms moving or deleting a label, because calls that name it get another text afterwards. */
export function LabelDialogs({
  prompt,
  move,
  removed,
  onClose,
}: {
  prompt: Prompt
  move: LabelMove | null
  removed: string | null
  onClose(): void
}) {
  const set = useSetLabel(prompt.id)
  const remove = useDeleteLabel(prompt.id)
  const from = move && prompt.labels[move.label]?.version
  return (
    <>
      <Confirm
        open={move !== null}
        onClose={onClose}
        kind="primary"
        title={`Point ${move?.label} to version ${move?.version.version}?`}
        action={from ? 'Move' : 'Set'}
        isBusy={set.isPending}
        onConfirm={() => move && set.mutate(move, { onSuccess: onClose })}
      >
        {from
          ? `Calls that name ${move.label} get version ${move.version.version} instead of ${from}, on every replica within a second. You can move it back the same way.`
          : `Calls that name ${move?.label} get version ${move?.version.version}.`}
        {set.error && <ErrorState error={set.error} className="mt-3" />}
      </Confirm>
      <Confirm
        open={removed !== null}
        onClose={onClose}
        title={`Delete the label ${removed}?`}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => removed !== null && remove.mutate(removed, { onSettled: onClose })}
      >
        Calls that name it will get a 400. The version itself stays.
      </Confirm>
    </>
  )
}
