const roles = ['member', 'auditor', 'manager'] as const
const statuses = ['active', 'suspended'] as const
export type Role = (typeof roles)[number]

/** What the address says of the page of people. */
export interface PeopleSearch {
  /** Who is open at the side, by user id. */
  person?: string
  filter?: string
  /** Only people of this team, by its id. */
  team?: string
  role?: Role
  status?: (typeof statuses)[number]
}

export function readPeopleSearch(search: Record<string, unknown>): PeopleSearch {
  const { person, filter, team } = search
  const role = roles.find((each) => each === search.role)
  const status = statuses.find((each) => each === search.status)
  return {
    // The address reads an id of digits as a number.
    ...((typeof person === 'string' || typeof person === 'number') && { person: String(person) }),
    ...(typeof filter === 'string' && filter !== '' && { filter }),
    ...(typeof team === 'string' && team !== '' && { team }),
    ...(role && { role }),
    ...(status && { status }),
  }
}
