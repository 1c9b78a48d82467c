const roles = ['member', 'auditor', 'manager'] as const
const statuses = ['active', 'suspended'] as const
export type Role = (typeof roles)[number]

/** The search parameters of the people page. */
export interface PeopleSearch {
  /** The user ID of the person in the side panel. */
  person?: string
  filter?: string
  /** Only people of the team with this ID. */
  team?: string
  role?: Role
  status?: (typeof statuses)[number]
}

export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  const { person, filter, team } = search
  const role = roles.find((each) => each === search.role)
  const status = statuses.find((each) => each === search.status)
  return {
    // The router parses an ID of digits as a number.
    ...((typeof person === 'string' || typeof person === 'number') && { person: String(person) }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(typeof team === 'string' && team !== '' && { team }),
    ...(role && { role }),
    ...(status && { status }),
  }
}
