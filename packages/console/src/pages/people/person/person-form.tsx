import { api, expectSuccess } from '../../../api'
import { FormDialog, SelectField, TextField, useDraftForm } from '../../../components'
import { type Member, peoplePaths, type Team } from '../use-people'
import { roleChoices, teamChoices } from './role-choices'

interface PersonFormProps {
  /** Null creates a new person. */
  member: Member | null
  teams: readonly Team[]
  /** The team that the list is filtered by, as the default. */
  team?: string | undefined
  onClose(): void
  onSaved?(member: Member): void
}

interface Draft {
  userId: string
  name: string
  email: string
  teamId: string
  role: Member['role']
}

const toBody = ({ userId, role, ...draft }: Draft) => ({
  userId,
  role,
  name: draft.name.trim() || null,
  email: draft.email.trim() || null,
  teamId: draft.teamId || null,
})

/** The name, email, team and role of a person. */
export function PersonForm({ member, teams, team, onClose, onSaved }: PersonFormProps) {
  const form = useDraftForm({
    record: member,
    toDraft: (person): Draft => ({
      userId: person?.userId ?? '',
      name: person?.name ?? '',
      email: person?.email ?? '',
      teamId: person?.teamId ?? (person === null ? (team ?? '') : ''),
      role: person?.role ?? 'member',
    }),
    toBody,
    create: async (body): Promise<Member> => await expectSuccess(api.POST('/v1/team/members', { body })),
    async update({ role, userId: _, ...others }, { userId }): Promise<Member> {
      const params = { path: { userId } }
      // The role is saved first, because only a role change can be rejected.
      if (role !== undefined) {
        const saved = await expectSuccess(
          api.PATCH('/v1/team/members/{userId}/role', { params, body: { role } }),
        )
        if (Object.keys(others).length === 0) return saved
      }
      return await expectSuccess(api.PATCH('/v1/team/members/{userId}', { params, body: others }))
    },
    invalidates: peoplePaths,
    message: ({ name, userId }) => `${name ?? userId} ${member === null ? 'added' : 'saved'}`,
    onSaved,
    onClose,
  })
  const { draft, field } = form
  const isDemoted = member?.role === 'manager' && draft.role !== 'manager'
  return (
    <FormDialog
      form={form}
      title={member === null ? 'Add a person' : `Edit ${member.name ?? member.userId}`}
      action={member === null ? 'Add person' : 'Save'}
      columns={2}
    >
      {member === null && (
        <div className="sm:col-span-2">
          <TextField
            label="User ID"
            {...field('userId')}
            placeholder="ada@example.com"
            hint="The ID from your identity provider, usually an email address. It cannot be changed later."
            autoFocus
          />
        </div>
      )}
      <TextField label="Name" {...field('name')} placeholder="Ada Lovelace" />
      <TextField label="Email" {...field('email')} type="email" />
      <SelectField
        label="Team"
        {...field('teamId')}
        hint="Their keys spend from this team’s budget"
        choices={teamChoices(teams)}
      />
      <SelectField
        label="Role"
        {...field('role')}
        hint={isDemoted ? 'All of their keys lose manager rights at once' : 'The maximum role of their keys'}
        choices={roleChoices}
        className="w-full min-w-0 overflow-hidden"
      />
    </FormDialog>
  )
}
