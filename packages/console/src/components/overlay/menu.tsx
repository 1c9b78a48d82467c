import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { cx } from '../class-names'

export interface MenuItem {
  label: string
  onSelect(): void
  tone?: 'bad'
  disabled?: boolean
  icon?: ReactNode
  /** Marks the current choice. */
  isChosen?: boolean
}

/** A menu behind a button; `trigger` is the button. */
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
