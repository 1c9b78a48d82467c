import { api, expectSuccess } from '../../../api'
import { useCalledModels } from '../../../called-models'
import {
  AllowList,
  FormDialog,
  isNotANumber,
  parseAllowList,
  parseNumber,
  parseOptionalNumber,
  TextField,
  useDraftForm,
} from '../../../components'
import { ToolListField } from '../../../tool-list'
import { type Limit, peoplePaths } from '../use-people'

const toDraft = (limit: Limit | null) => ({
  cap: limit?.budgetCapUsd?.toString() ?? '',
  models: limit?.allowedModels?.join('\n') ?? null,
  tools: limit?.allowedTools?.join('\n') ?? null,
})

const toBody = ({ cap, models, tools }: ReturnType<typeof toDraft>) => ({
  budgetCapUsd: parseOptionalNumber(cap),
  allowedModels: parseAllowList(models),
  allowedTools: parseAllowList(tools),
})

/** Limits that apply to all keys of a person. */
export function LimitsForm({ limit, name, onClose }: { limit: Limit; name: string; onClose(): void }) {
  const form = useDraftForm({
    record: limit,
    toDraft,
    toBody,
    validate: ({ cap }) => ({
      budgetCapUsd: isNotANumber(cap) ? 'Enter an amount such as 100, or leave empty for no cap' : null,
    }),
    paths: { cap: 'budgetCapUsd', models: 'allowedModels', tools: 'allowedTools' },
    update: async (body, { userId }) =>
      await expectSuccess(api.PATCH('/v1/user-limits/{userId}', { params: { path: { userId } }, body })),
    invalidates: peoplePaths,
    message: () => `Limits of ${name} saved`,
    onClose,
  })
  const { draft, field } = form
  return (
    <FormDialog
      form={form}
      title={`Limits of ${name}`}
      description="They apply to all keys of the person, from the next call."
      action="Save"
    >
      <TextField
        label="Monthly cap (USD)"
        {...field('cap')}
        inputMode="decimal"
        placeholder="no cap"
        hint={
          parseNumber(draft.cap) <= limit.spentUsd
            ? 'Already spent: the next call will be blocked'
            : 'Per calendar month (UTC). Leave empty for no cap.'
        }
        autoFocus
      />
      <AllowList
        label="Models"
        {...field('models')}
        allLabel="All models"
        listLabel="Allowed models"
        hint="One per line. gpt-4o* allows every model whose name begins with gpt-4o"
        emptyWarning="The list is empty: no model can be called."
        suggestions={useCalledModels()}
      />
      <ToolListField {...field('tools')} />
    </FormDialog>
  )
}
