const sections = ['providers', 'routes', 'catalogue'] as const
type ProvidersSection = (typeof sections)[number]

/** The search parameters of the providers page. */
export interface ProvidersSearch {
  /** The section; the list of providers if absent. */
  section?: ProvidersSection
  /** The ID of the provider in the side panel. */
  provider?: string
  /** The ID of the credential that is being replaced. */
  rotate?: string
  /** The ID of the credential that replaces it, once it was added. */
  successor?: string
  /** The ID of the route in the side panel. */
  route?: string
  /** Catalogue: only models whose name contains this text. */
  filter?: string
  /** Catalogue: only models of the provider with this name. */
  of?: string
  /** The model in the side panel, as `provider/model`. */
  model?: string
}

/** The props of a section. */
export interface SectionProps {
  search: ProvidersSearch
  /** Changes search parameters, with a new history entry unless `replace` is set. */
  onSearch(change: ProvidersSearch, replace?: boolean): void
}

const textNames = ['provider', 'rotate', 'successor', 'route', 'filter', 'of', 'model'] as const

export function readProvidersSearch(search: Record<string, unknown>): ProvidersSearch {
  const read: ProvidersSearch = {}
  const section = sections.find((each) => each === search.section)
  if (section && section !== 'providers') read.section = section
  for (const name of textNames) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    // The router parses a name of digits as a number.
    else if (typeof value === 'number') read[name] = String(value)
  }
  return read
}
