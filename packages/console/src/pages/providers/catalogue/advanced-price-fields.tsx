import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { Button, IconButton, Input } from '../../../components'
import { emptyFee, emptyLongInput, emptyTier, type PriceDraft } from './price-draft'

interface AdvancedPriceFieldsProps {
  draft: PriceDraft
  onDraft(change: Partial<PriceDraft>): void
  errorOf(field: string): string | null
}

/** Fees per use, tiers, and rates for long inputs. */
export function AdvancedPriceFields({ draft, onDraft, errorOf }: AdvancedPriceFieldsProps) {
  return (
    <>
      <Rows
        title="Fees (USD per use)"
        hint="Per use of a hosted tool (web_search), image size, second or search, by the names in the price reference"
        one="fee"
        rows={draft.fees}
        empty={emptyFee}
        columns={[
          { field: 'name', label: 'Name', placeholder: 'web_search', isWide: true },
          { field: 'usd', label: 'USD', placeholder: '0.01' },
        ]}
        onRows={(fees) => onDraft({ fees })}
        error={errorOf('price.feesUsd')}
      />
      <Rows
        title="Tiers"
        hint="A factor on all rates, or separate rates per million tokens"
        one="tier"
        rows={draft.tiers}
        empty={emptyTier}
        columns={[
          { field: 'name', label: 'Name', placeholder: 'batch', isWide: true },
          { field: 'factor', label: 'Factor', placeholder: '0.5' },
          { field: 'input', label: 'Input', placeholder: 'USD' },
          { field: 'output', label: 'Output', placeholder: 'USD' },
        ]}
        onRows={(tiers) => onDraft({ tiers })}
        error={errorOf('price.tiers')}
      />
      <Rows
        title="Long inputs"
        hint="Rates of the whole call when its input is longer than this"
        one="step"
        rows={draft.longer}
        empty={emptyLongInput}
        columns={[
          { field: 'above', label: 'Above (tokens)', placeholder: '200000', isWide: true },
          { field: 'input', label: 'Input', placeholder: 'USD' },
          { field: 'output', label: 'Output', placeholder: 'USD' },
        ]}
        onRows={(longer) => onDraft({ longer })}
        error={errorOf('price.longer')}
      />
    </>
  )
}

interface RowsProps<Row extends object> {
  title: string
  hint: string
  /** The label of one row. */
  one: string
  rows: readonly Row[]
  empty: Row
  columns: readonly {
    field: keyof Row & string
    label: string
    placeholder: string
    isWide?: boolean
  }[]
  onRows(rows: Row[]): void
  error: string | null
}

function Rows<Row extends object>(props: RowsProps<Row>) {
  const { title, hint, one, rows, empty, columns, onRows, error } = props
  return (
    <fieldset className="m-0 flex flex-col gap-1.5 border-0 p-0 sm:col-span-2">
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">{title}</legend>
      {rows.map((row, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
        <div key={n} className="flex items-center gap-1.5">
          {columns.map(({ field, label, placeholder, isWide }) => (
            <Input
              key={field}
              aria-label={`${label} of ${one} ${n + 1}`}
              placeholder={placeholder}
              value={String(row[field])}
              onChange={({ target: { value } }) =>
                onRows(rows.map((each, at) => (at === n ? { ...each, [field]: value } : each)))
              }
              className={isWide ? 'mono !text-xs' : 'num !w-20 shrink-0 text-right'}
            />
          ))}
          <IconButton
            label={`Remove ${one} ${n + 1}`}
            onClick={() => onRows(rows.filter((_, at) => at !== n))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" icon={<Plus size={13} aria-hidden />} onClick={() => onRows([...rows, empty])}>
          Add a {one}
        </Button>
        <span className={error ? 'text-xs text-bad' : 'text-xs text-ink-3'}>{error ?? hint}</span>
      </div>
    </fieldset>
  )
}
