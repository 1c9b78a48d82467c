const sections = ['providers', 'routes', 'catalogue'] as const
type ProvidersSection = (typeof sections)[number]

/** What the address says of the page of providers. */
export interface ProvidersSearch {
  /** Which part of the page; the providers themselves when left out. */
  section?: ProvidersSection
  /** The provider that is open at the side, by its id. */
  provider?: string
  /** Of its credentials the one that is being replaced. */
  rotate?: string
  /** The one that takes its place, once it is added. */
  successor?: string
  /** The route that is open at the side, by its id. */
  route?: string
  /** Of the catalogue: only models with this in their name. */
  filter?: string
  /** Of the catalogue: only models of this provider, by its name. */
  of?: string
  /** The model that is open at the side, as `provider/model`. */
  model?: string
}

/** What a part of the page is given. */
export interface SectionProps {
  search: ProvidersSearch
  /** Changes a part of the address; unless it replaces it, there is a way back. */
  onSearch(change: ProvidersSearch, replace?: boolean): void
}

const texts = ['provider', 'rotate', 'successor', 'route', 'filter', 'of', 'model'] as const

export function readProvidersSearch(search: Record<string, unknown>): ProvidersSearch {
  const read: ProvidersSearch = {}
  const section = sections.find((each) => each === search.section)
  if (section && section !== 'providers') read.section = section
  for (const name of texts) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    // The address reads a name of digits as a number.
    else if (typeof value === 'number') read[name] = String(value)
  }
  return read
}
