export const roleChoices = [
  { value: 'member', label: 'member: sees own data' },
  { value: 'auditor', label: 'auditor: reads everything, changes nothing' },
  { value: 'manager', label: 'manager: reads and changes everything' },
] as const

/** For a select of teams: none first. */
export const teamChoices = (teams: readonly { id: string; name: string }[]) => [
  { value: '', label: 'No team' },
  ...teams.map(({ id, name }) => ({ value: id, label: name })),
]
