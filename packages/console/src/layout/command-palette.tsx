import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { apiQuery } from '../api'
import { cx } from '../components'
import { useSession } from '../session'
import { pagesOf } from './navigation'

interface SearchResult {
  id: string
  name: string
  kind: string
  go(): void
}

/** Finds pages, keys, people and MCP servers, and a call by its ID. */
export function CommandPalette({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-black/30 animate-[fade-in_120ms_ease-out]" />
        <BaseDialog.Popup
          aria-label="Find anything"
          className="fixed top-[12dvh] left-1/2 z-50 flex max-h-[70dvh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-rule-2 bg-raised shadow-float"
        >
          <PaletteSearch onClose={onClose} />
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

function PaletteSearch({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [activeIndex, setActiveIndex] = useState(0)
  const listId = useId()
  const found = useSearchResults(text.trim())
  const chosen = Math.min(activeIndex, found.length - 1)
  const open = (one: SearchResult | undefined) => {
    if (!one) return
    onClose()
    one.go()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined && found.length > 0) {
      event.preventDefault()
      setActiveIndex((chosen + by + found.length) % found.length)
    }
    if (event.key === 'Enter') open(found[chosen])
  }
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog exists for this field
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found[chosen] ? `${listId}-${chosen}` : undefined}
        aria-label="Find anything"
        placeholder="Search pages, keys, people and servers, or enter a call ID"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setActiveIndex(0)
        }}
        onKeyDown={onKeyDown}
        className="h-12 border-b border-rule bg-transparent px-4 text-base outline-none placeholder:text-ink-3"
        spellCheck={false}
        autoComplete="off"
      />
      <div id={listId} role="listbox" aria-label="Results" className="overflow-y-auto py-1">
        {found.map((one, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles keys and keeps the focus
          <div
            key={one.id}
            id={`${listId}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === chosen}
            onMouseMove={() => setActiveIndex(n)}
            onClick={() => open(one)}
            className={cx(
              'flex cursor-default items-center justify-between gap-4 px-4 py-2 text-sm',
              n === chosen && 'bg-sunken',
            )}
          >
            <span className="truncate">{one.name}</span>
            <span className="shrink-0 text-xs text-ink-3">{one.kind}</span>
          </div>
        ))}
        {found.length === 0 && <p className="m-0 px-4 py-3 text-sm text-ink-2">No results</p>}
      </div>
    </>
  )
}

const isCallId = (text: string) => /^req_\w{4,}$/.test(text)

function useSearchResults(text: string): SearchResult[] {
  const navigate = useNavigate()
  const { role } = useSession()
  const isEnabled = text.length >= 2
  const keys = useQuery({
    ...apiQuery('/v1/keys', { params: { query: { limit: 100 } } }),
    enabled: isEnabled,
  })
  const people = useQuery({
    ...apiQuery('/v1/team/members', { params: { query: { limit: 100 } } }),
    enabled: isEnabled && role !== 'member',
  })
  const servers = useQuery({
    ...apiQuery('/v1/mcp-servers', { params: { query: { limit: 100 } } }),
    enabled: isEnabled,
  })
  const matches = (...words: (string | null | undefined)[]) =>
    words.some((word) => word?.toLowerCase().includes(text.toLowerCase()))
  const found: SearchResult[] = []
  if (isCallId(text))
    found.push({
      id: text,
      name: text,
      kind: 'call',
      go: () => void navigate({ to: '/calls', search: { call: text } }),
    })
  for (const { to, title = to } of pagesOf(role))
    if (matches(title)) found.push({ id: to, name: title, kind: 'page', go: () => void navigate({ to }) })
  if (isEnabled) {
    for (const { id, name } of keys.data?.data ?? [])
      if (matches(name, id))
        found.push({ id, name, kind: 'key', go: () => void navigate({ to: '/keys', search: { key: id } }) })
    for (const { userId, name, email } of people.data?.data ?? [])
      if (matches(userId, name, email))
        found.push({
          id: `user ${userId}`,
          name: name ?? userId,
          kind: 'person',
          go: () => void navigate({ to: '/people', search: { person: userId } }),
        })
    for (const { id, name } of servers.data?.data ?? [])
      if (matches(name, id))
        found.push({
          id: `server ${id}`,
          name,
          kind: 'tools',
          go: () =>
            void navigate({ to: '/tools', search: role === 'member' ? {} : { server: id, tool: undefined } }),
        })
  }
  return found.slice(0, 40)
}
