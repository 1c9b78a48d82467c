import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { cx, EmptyState } from '../../components'
import { useSession } from '../../session'
import { CatalogueSection } from './catalogue/section'
import { ProviderSection } from './provider/section'
import { RouteSection } from './route/section'
import type { ProvidersSearch } from './search'

/** The providers page: providers, routes and the catalogue. */
export default function ProvidersPage() {
  return useSession().role === 'member' ? <NotForMembers /> : <ProvidersContent />
}

function ProvidersContent() {
  const search: ProvidersSearch = useSearch({ from: '/app/providers' })
  const navigate = useNavigate({ from: '/providers' })
  const { section = 'providers' } = search
  const onSearch = (change: ProvidersSearch, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  return (
    <>
      <nav
        aria-label="Sections"
        className="mb-5 flex gap-x-5 overflow-x-auto overflow-y-hidden border-b border-rule"
      >
        {sections.map(({ id, name }) => (
          <Link
            key={id}
            to="/providers"
            search={id === 'providers' ? {} : { section: id }}
            aria-current={id === section ? 'page' : undefined}
            className={cx(
              '-mb-px border-b-2 px-0.5 pb-2 text-sm whitespace-nowrap no-underline focus-visible:-outline-offset-2',
              id === section
                ? 'border-accent font-medium text-ink'
                : 'border-transparent text-ink-2 hover:text-ink',
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      {section === 'providers' && <ProviderSection search={search} onSearch={onSearch} />}
      {section === 'routes' && <RouteSection search={search} onSearch={onSearch} />}
      {section === 'catalogue' && <CatalogueSection search={search} onSearch={onSearch} />}
    </>
  )
}

const sections = [
  { id: 'providers', name: 'Providers' },
  { id: 'routes', name: 'Routes' },
  { id: 'catalogue', name: 'Catalogue' },
] as const

const NotForMembers = () => (
  <EmptyState title="Providers are for managers and auditors">
    The models that your key may call are listed in its snippets and in the{' '}
    <Link to="/playground" className="link">
      playground
    </Link>
    .
  </EmptyState>
)
