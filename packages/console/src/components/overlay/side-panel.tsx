import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'

export interface SidePanelProps {
  open: boolean
  onClose(): void
  title: ReactNode
  /** The accessible name. */
  label: string
  /** Leaves the focus in the list, for a read-only panel that follows the selected row. */
  leavesFocus?: boolean
  children: ReactNode
}

/** Shows a record beside its list. The panel is not modal: clicks and arrow keys in the list keep working. */
export function SidePanel({ open, onClose, title, label, leavesFocus = false, children }: SidePanelProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      modal={false}
      disablePointerDismissal
    >
      <BaseDialog.Portal>
        <BaseDialog.Popup
          aria-label={label}
          {...(leavesFocus && { initialFocus: false, finalFocus: false })}
          className="fixed inset-y-0 right-0 z-30 flex w-full max-w-[560px] flex-col border-l border-rule-2 bg-raised shadow-float animate-[slide-in_160ms_ease-out]"
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5 pb-2">
            <BaseDialog.Title className="m-0 min-w-0 flex-1 text-lg font-semibold" render={<div />}>
              {title}
            </BaseDialog.Title>
            <BaseDialog.Close
              aria-label="Close"
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <X size={16} aria-hidden />
            </BaseDialog.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-8">{children}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
