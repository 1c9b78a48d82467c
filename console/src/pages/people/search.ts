/** What the address says of the page of people. */
export interface PeopleSearch {
  /** Who is open at the side, by user id. */
  person?: string
  filter?: string
}

export const readPeopleSearch = ({ person, filter }: Record<string, unknown>): PeopleSearch => ({
  ...(typeof person === 'string' && { person }),
  ...(typeof filter === 'string' && filter !== '' && { filter }),
})
