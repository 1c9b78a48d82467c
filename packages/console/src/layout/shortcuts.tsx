import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../components'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The palette shortcut of the user's platform. */
export const findKeys = /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Handles ⌘K or Ctrl-K (palette), / (filter) and ? (help). */
export function useShortcuts({ openPalette }: { openPalette(): void }) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const open = useRef(openPalette)
  open.current = openPalette
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open.current()
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '?') setHelpOpen(true)
      if (event.key === '/') {
        const field = document.querySelector<HTMLElement>('[data-filter]')
        if (!field) return
        event.preventDefault()
        field.focus()
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return { isHelpOpen, closeHelp: () => setHelpOpen(false) }
}

const shortcuts = [
  [findKeys, 'Search'],
  ['/', 'Filter the list'],
  ['↑ ↓', 'Move in a list'],
  ['Enter', 'Open the focused row'],
  ['Esc', 'Close'],
  ['?', 'Show keyboard shortcuts'],
] as const

export function ShortcutHelp({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="m-0 grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2">
        {shortcuts.map(([keys, words]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-sm border border-rule-2 px-1.5 text-xs">{keys}</kbd>
            </dt>
            <dd className="m-0">{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
