import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../api'
import {
  Confirm,
  ErrorState,
  FormDialog,
  notify,
  parseAllowList,
  parseNumber,
  Skeleton,
  TextField,
  useDraftForm,
} from '../../components'
import { keepFocus } from '../../components/overlay/keep-focus'
import { formatUsd } from '../../format'
import { ToolListField } from '../../tool-list'
import { Consequences } from './consequences'
import { peoplePaths, type SpendingTeam, type Team, useDependents, useRefreshPeople } from './use-people'

const toDraft = (team: Team | null) => ({
  name: team?.name ?? '',
  pool: team?.budgetPoolUsd.toString() ?? '',
  tools: team?.allowedTools?.join('\n') ?? null,
})

const toBody = ({ name, pool, tools }: ReturnType<typeof toDraft>) => ({
  name,
  budgetPoolUsd: parseNumber(pool),
  allowedTools: parseAllowList(tools),
})

/** Creates or edits a team. */
export function TeamForm({ team, onClose }: { team: Team | null; onClose(): void }) {
  const form = useDraftForm({
    record: team,
    toDraft,
    toBody,
    paths: { pool: 'budgetPoolUsd', tools: 'allowedTools' },
    create: async (body) => await expectSuccess(api.POST('/v1/team/teams', { body })),
    update: async (body, { id }) =>
      await expectSuccess(api.PATCH('/v1/team/teams/{id}', { params: { path: { id } }, body })),
    invalidates: peoplePaths,
    message: ({ name }) => `Team “${name}” ${team === null ? 'created' : 'saved'}`,
    onClose,
  })
  return (
    <FormDialog
      form={form}
      title={team === null ? 'New team' : `Edit team “${team.name}”`}
      action={team === null ? 'Create team' : 'Save'}
    >
      <TextField label="Name" {...form.field('name')} autoFocus />
      <TextField
        label="Monthly budget (USD)"
        {...form.field('pool')}
        inputMode="decimal"
        placeholder="500"
        hint="What all keys of the team may spend together per calendar month (UTC). Applies from the next call."
      />
      <ToolListField {...form.field('tools')} />
    </FormDialog>
  )
}

export function DeleteTeam({ team, onClose }: { team: SpendingTeam; onClose(): void }) {
  const spent = team.spentUsd
  const found = useDependents({ type: 'team', id: team.id })
  const refresh = useRefreshPeople()
  const isInUse = found.keys + found.members + found.budgets + found.policies > 0
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.DELETE('/v1/team/teams/{id}', {
          params: { path: { id: team.id }, query: isInUse ? { cascade: true } : {} },
        }),
      ),
    async onSuccess() {
      await refresh()
      notify(`Team “${team.name}” deleted`)
      onClose()
      keepFocus()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete team “${team.name}”?`}
      action="Delete team"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending || !found.isKnown}
    >
      {found.isKnown ? (
        <Consequences
          effects={[
            [found.members, 'person', 'people', 'stay, without a team'],
            [found.keys, 'key', 'keys', 'of the team stay, without a team'],
            [found.budgets, 'budget', 'budgets', 'of the team deleted'],
            [found.policies, 'policy', 'policies', 'of the team deleted'],
          ]}
        >
          Its monthly budget of {formatUsd(team.budgetPoolUsd)} no longer limits anyone
          {spent !== undefined &&
            spent > 0 &&
            `. Its spend of ${formatUsd(spent)} this month stays in the record`}
          .
        </Consequences>
      ) : (
        <Skeleton className="h-16" />
      )}
      {(remove.error ?? found.error) && <ErrorState error={remove.error ?? found.error} className="mt-3" />}
    </Confirm>
  )
}
