import { type DraftForm, TextAreaField, TextField } from '../../../components'
import type { ServerDraft } from './server-draft'

const paths = ['rpmLimit', 'timeoutMs', 'maxResultBytes', 'resources', 'prompts']
const patterns = { rows: 2, className: 'mono !text-xs' }

/** Settings that few servers need. Opens by itself if one of them has an error. */
export function AdvancedFields({ form: { field, errorOf } }: { form: DraftForm<ServerDraft> }) {
  const hasError = paths.some((path) => errorOf(path) !== null)
  return (
    <details open={hasError || undefined} className="sm:col-span-2">
      <summary className="cursor-pointer py-1 text-xs font-medium text-ink-2 hover:text-ink">
        Limits, resources and prompts
      </summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-6">
        <div className="sm:col-span-2">
          <TextField
            label="Calls per minute"
            {...field('rpmLimit')}
            inputMode="numeric"
            placeholder="no limit"
            hint="For all keys together"
          />
        </div>
        <div className="sm:col-span-2">
          <TextField label="Timeout (seconds)" {...field('timeout')} inputMode="decimal" placeholder="60" />
        </div>
        <div className="sm:col-span-2">
          <TextField
            label="Maximum result (KiB)"
            {...field('maxResult')}
            inputMode="decimal"
            placeholder="4096"
          />
        </div>
        <div className="sm:col-span-3">
          <TextAreaField
            label="Allowed resources"
            {...field('resources')}
            {...patterns}
            placeholder="file:///docs/*"
            hint="URIs, one per line; * matches anything. Empty allows none"
          />
        </div>
        <div className="sm:col-span-3">
          <TextAreaField
            label="Allowed prompts"
            {...field('prompts')}
            {...patterns}
            placeholder="summarise*"
            hint="Names, one per line; * matches anything. Empty allows none"
          />
        </div>
      </div>
    </details>
  )
}
