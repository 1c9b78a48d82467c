export const roleChoices = [
  { value: 'member', label: 'member: sees own data' },
  { value: 'auditor', label: 'auditor: reads everything, changes nothing' },
  { value: 'manager', label: 'manager: reads and changes everything' },
] as const

/** The choices of a team select; "No team" comes first. */
export const teamChoices = (teams: readonly { id: string; name: string }[]) => [
  { value: '', label: 'No team' },
  ...teams.map(({ id, name }) => ({ value: id, label: name })),
]
