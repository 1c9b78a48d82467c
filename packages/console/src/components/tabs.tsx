import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface Tab {
  id: string
  label: string
  children: ReactNode
}

/** Tabs with arrow-key navigation. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <BaseTabs.Root defaultValue={tabs[0]?.id}>
      <BaseTabs.List
        aria-label={label}
        className="mb-2 flex gap-x-4 overflow-x-auto overflow-y-hidden border-b border-rule"
      >
        {tabs.map(({ id, label }) => (
          <BaseTabs.Tab
            key={id}
            value={id}
            className="-mb-px border-b-2 border-transparent px-0.5 pb-1.5 text-sm whitespace-nowrap text-ink-2 hover:text-ink focus-visible:-outline-offset-2 data-[active]:border-accent data-[active]:font-medium data-[active]:text-ink"
          >
            {label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map(({ id, children }) => (
        <BaseTabs.Panel key={id} value={id} tabIndex={-1}>
          {children}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
