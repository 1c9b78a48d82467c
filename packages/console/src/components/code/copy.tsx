import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useRef, useState } from 'react'
import { shortenId } from '../../format'
import { cx } from '../class-names'

/** Copies a text and reports success for a moment. */
export function useCopy(text: string): { copied: boolean; copy(): void } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    copied,
    copy() {
      navigator.clipboard
        .writeText(text)
        .catch(() => copyByCommand(text))
        .then(() => {
          setCopied(true)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => setCopied(false), 1_500)
        })
    },
  }
}

/** Browsers offer the clipboard API only over TLS; the older command works without it. */
function copyByCommand(text: string): void {
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** A shortened ID; a click copies the whole ID. */
export function Id({ id, className }: { id: string; className?: string }) {
  const { copied, copy } = useCopy(id)
  return (
    <button
      type="button"
      onClick={(event) => {
        event.stopPropagation()
        copy()
      }}
      title={`${id}\nClick to copy`}
      aria-label={`${copied ? 'copied' : shortenId(id)}: copy ${id}`}
      className={cx('mono rounded-sm text-ink-3 hover:text-ink', className)}
    >
      {copied ? 'copied' : shortenId(id)}
    </button>
  )
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <button
      type="button"
      onClick={copy}
      className="inline-flex items-center gap-1 rounded-sm px-1.5 py-0.5 text-xs text-ink-2 hover:bg-sunken hover:text-ink"
    >
      {copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      {copied ? 'Copied' : label}
    </button>
  )
}

/** Code with a copy button. */
export function Snippet({
  code,
  label = 'Copy',
  name = 'Code',
}: {
  code: string
  label?: string
  /** The accessible name, needed if a page shows several snippets. */
  name?: string
}) {
  return (
    <div className="relative rounded-md border border-rule bg-sunken">
      <pre
        className="m-0 overflow-x-auto p-3 pr-20 text-xs leading-5 whitespace-pre"
        role="region"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll long lines
        tabIndex={0}
        aria-label={name}
      >
        <code className="!text-xs">{code}</code>
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton text={code} label={label} />
      </div>
    </div>
  )
}
