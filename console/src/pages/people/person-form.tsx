import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../api'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  Select,
  say,
  TextField,
} from '../../parts'

import { roleChoices, teamChoices } from './role-choices'
import { type Member, type Team, useRefreshPeople } from './use-people'

interface PersonFormProps {
  /** Null for somebody new. */
  member: Member | null
  teams: readonly Team[]
  /** The team that is filtered by. */
  team?: string | undefined
  onClose(): void
  onSaved?(member: Member): void
}

const fields = ['userId', 'name', 'email', 'teamId', 'role']

/** Who somebody is: name, address, team and role. */
export function PersonForm({ member, teams, team, onClose, onSaved }: PersonFormProps) {
  const formId = useId()
  const [userId, setUserId] = useState(member?.userId ?? '')
  const [name, setName] = useState(member?.name ?? '')
  const [email, setEmail] = useState(member?.email ?? '')
  const [teamId, setTeamId] = useState(member?.teamId ?? team ?? '')
  const [role, setRole] = useState<Member['role']>(member?.role ?? 'member')
  const refresh = useRefreshPeople()
  const given = { name: name.trim() || null, email: email.trim() || null, teamId: teamId || null }
  const save = useMutation({
    async mutationFn(): Promise<Member> {
      if (member === null)
        return await expectSuccess(api.POST('/v1/team/members', { body: { userId, role, ...given } }))
      const params = { path: { userId: member.userId } }
      // The role first: it is what may be refused.
      if (role !== member.role)
        await expectSuccess(api.PATCH('/v1/team/members/{userId}/role', { params, body: { role } }))
      return await expectSuccess(api.PATCH('/v1/team/members/{userId}', { params, body: given }))
    },
    async onSuccess(saved) {
      await refresh()
      say(`${saved.name ?? saved.userId} is ${member === null ? 'a member' : 'changed'}`)
      onClose()
      onSaved?.(saved)
    },
  })
  const faultOf = faultsOf(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const isDemoted = member?.role === 'manager' && role !== 'manager'
  return (
    <Dialog
      open
      onClose={onClose}
      title={member === null ? 'Add a person' : `Change ${member.name ?? member.userId}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            {member === null ? 'Add person' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {member === null && (
          <div className="sm:col-span-2">
            <TextField
              label="User id"
              value={userId}
              onValue={setUserId}
              fault={faultOf('userId')}
              placeholder="ada@example.com"
              hint="As your sign-on knows the person; an address, mostly. It cannot be changed later."
              autoFocus
            />
          </div>
        )}
        <TextField
          label="Name"
          value={name}
          onValue={setName}
          fault={faultOf('name')}
          placeholder="Ada Lovelace"
        />
        <TextField label="Email" value={email} onValue={setEmail} fault={faultOf('email')} type="email" />
        <Field label="Team" fault={faultOf('teamId')} hint="Whose pool their keys spend from">
          {({ id }) => (
            <Select
              id={id}
              value={teamId}
              onValue={setTeamId}
              choices={teamChoices(teams)}
              className="w-full"
            />
          )}
        </Field>
        <Field
          label="Role"
          fault={faultOf('role')}
          hint={
            isDemoted ? 'Takes manager rights from all of their keys at once' : 'Their keys never have more'
          }
        >
          {({ id }) => (
            <Select<Member['role']>
              id={id}
              value={role}
              onValue={setRole}
              choices={roleChoices}
              className="w-full min-w-0 overflow-hidden"
            />
          )}
        </Field>
        {save.error && !isBesideFields(save.error, fields) && (
          <ErrorState error={save.error} className="sm:col-span-2" />
        )}
      </form>
    </Dialog>
  )
}
