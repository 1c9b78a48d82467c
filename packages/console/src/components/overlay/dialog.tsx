import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonKind } from '../button'
import { cx } from '../class-names'

const backdrop = 'fixed inset-0 z-40 bg-black/30 animate-[fade-in_120ms_ease-out]'

export interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  /** Shown below the title. */
  description?: ReactNode
  children: ReactNode
  /** Buttons at the bottom right. */
  footer?: ReactNode
  width?: 'md' | 'lg' | 'xl'
  /** Clicks outside do not close the dialog, so that its content is not lost by accident. */
  ignoresOutsideClicks?: boolean
}

const widths = { md: 'max-w-md', lg: 'max-w-xl', xl: 'max-w-3xl' }

/** A modal dialog. Escape closes it and returns the focus to the element that opened it. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = 'md',
  ignoresOutsideClicks = false,
}: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      disablePointerDismissal={ignoresOutsideClicks}
    >
      <BaseDialog.Portal>
        {/* The z-index is above that of side panels, which are dialogs themselves. */}
        <BaseDialog.Backdrop forceRender className={backdrop} />
        <BaseDialog.Popup
          className={cx(
            'fixed top-[10dvh] left-1/2 z-50 flex max-h-[80dvh] w-[calc(100vw-24px)] -translate-x-1/2 flex-col rounded-lg border border-rule-2 bg-raised shadow-float',
            'animate-[fade-in_120ms_ease-out]',
            widths[width],
          )}
        >
          <ReturnFocus />
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <div>
              <BaseDialog.Title className="m-0 text-lg font-semibold">{title}</BaseDialog.Title>
              {description && (
                <BaseDialog.Description className="m-0 mt-1 text-sm text-ink-2">
                  {description}
                </BaseDialog.Description>
              )}
            </div>
            <BaseDialog.Close
              aria-label="Close"
              className="inline-flex size-7 items-center justify-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
            >
              <X size={16} aria-hidden />
            </BaseDialog.Close>
          </div>
          <div className="overflow-y-auto px-5 py-4 text-sm">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-rule px-5 py-3">
              {footer}
            </footer>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** Returns the focus when a form unmounts after saving; falls back to the page when the previous element is gone. */
function ReturnFocus() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
        if (isThere) before.focus()
        else document.getElementById('page')?.focus()
      })
    },
    [before],
  )
  return null
}

export interface ConfirmProps {
  open: boolean
  onClose(): void
  /** The question, such as: Revoke "ci"? */
  title: string
  /** The consequences, such as: 1,204 calls in the last day will start to fail. */
  children: ReactNode
  action: string
  kind?: ButtonKind
  onConfirm(): void
  isBusy?: boolean
}

/** Asks for confirmation before a destructive action. */
export function Confirm({
  open,
  onClose,
  title,
  children,
  action,
  kind = 'danger',
  onConfirm,
  isBusy = false,
}: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={kind} onClick={onConfirm} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
