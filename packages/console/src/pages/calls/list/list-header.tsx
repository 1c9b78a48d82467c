import ArrowUp from 'lucide-react/icons/arrow-up'
import { cx } from '../../../components'
import { formatInteger } from '../../../format'
import { columnsOf } from './call-row'
import { maxHead } from './use-live-calls'

export function ColumnNames({ layout }: { layout: 'wide' | 'medium' }) {
  const isWide = layout === 'wide'
  return (
    <div
      aria-hidden
      className={cx(
        'sticky top-14 z-10 grid h-8 items-center gap-x-4 border-b border-rule-2 bg-ground px-2 text-xs font-medium text-ink-3',
        columnsOf[layout],
      )}
    >
      <span>Time</span>
      <span>Key</span>
      {isWide && <span>Person · team</span>}
      <span>Model or tool</span>
      <span>Outcome</span>
      {isWide && <span className="text-right">Tokens</span>}
      <span className="text-right">Cost</span>
      {isWide && <span className="text-right">Duration</span>}
    </div>
  )
}

export const NewCalls = ({ count, onShow }: { count: number; onShow(): void }) => (
  <div className="pointer-events-none sticky top-[92px] z-10 h-0">
    <div className="flex justify-center pt-2">
      <button
        type="button"
        onClick={onShow}
        className="pointer-events-auto inline-flex h-7 items-center gap-1.5 rounded-full border border-rule-2 bg-raised px-3 text-xs font-medium text-accent shadow-float hover:bg-accent-soft"
      >
        <ArrowUp size={13} aria-hidden />
        {count >= maxHead ? `${maxHead}+ new` : `${formatInteger(count)} new`}
      </button>
    </div>
  </div>
)
