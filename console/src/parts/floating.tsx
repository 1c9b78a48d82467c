import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonKind } from './button'
import { cx } from './cx'

const backdrop = 'fixed inset-0 z-40 bg-black/30 animate-[fade-in_120ms_ease-out]'

export interface DialogProps {
  open: boolean
  onClose(): void
  title: string
  /** Beside or below the title. */
  description?: ReactNode
  children: ReactNode
  /** The buttons, right. */
  footer?: ReactNode
  width?: 'md' | 'lg' | 'xl'
  /** A click beside it does not close it: there is something in it that would be lost. */
  isKept?: boolean
}

const widths = { md: 'max-w-md', lg: 'max-w-xl', xl: 'max-w-3xl' }

/** A question or a form in the middle. Escape closes; focus goes back to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = 'md',
  isKept = false,
}: DialogProps) {
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      disablePointerDismissal={isKept}
    >
      <BaseDialog.Portal>
        {/* Also over a panel, which is a dialog itself. */}
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

/** A form that closes by itself once it is saved gives the focus back too; where what had it is gone, the page gets it. */
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
  /** What will be done, with its name: Revoke "ci"? */
  title: string
  /** What will happen then: 1,204 calls in the last day will start to fail. */
  children: ReactNode
  action: string
  kind?: ButtonKind
  onConfirm(): void
  isBusy?: boolean
}

/** Dangerous things ask once, and say what will happen. */
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

export interface SidePanelProps {
  open: boolean
  onClose(): void
  title: ReactNode
  /** For who cannot see it. */
  label: string
  /** The focus stays where it is, in the list: for a panel that is only read, and follows the list. */
  leavesFocus?: boolean
  children: ReactNode
}

/** A record beside its list. Not modal: the list stays in use, arrow keys and clicks go on in it. */
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

export interface MenuItem {
  label: string
  onSelect(): void
  tone?: 'bad'
  disabled?: boolean
  icon?: ReactNode
  /** It is the one that is chosen. */
  isChosen?: boolean
}

/** What can be done, behind a button. `trigger` is the button itself. */
export function Menu({
  trigger,
  items,
  align = 'end',
}: {
  trigger: ReactElement
  items: readonly MenuItem[]
  align?: 'start' | 'end'
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} nativeButton={trigger.type !== 'div'} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align={align} className="z-50">
          <BaseMenu.Popup className="min-w-44 rounded-md border border-rule-2 bg-raised py-1 text-sm shadow-float outline-none">
            {items.map(({ label, onSelect, tone, disabled, icon, isChosen }) => (
              <BaseMenu.Item
                key={label}
                onClick={onSelect}
                disabled={disabled === true}
                className={cx(
                  'flex cursor-default items-center gap-2 px-3 py-1.5 outline-none select-none data-[disabled]:opacity-45 data-[highlighted]:bg-sunken',
                  tone === 'bad' && 'text-bad',
                  isChosen === true && 'font-medium text-accent',
                )}
              >
                {icon}
                {label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}
