import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { kindNames, kinds } from './kinds'

/** Chooses the kind of a new policy. */
export function KindPicker() {
  return (
    <>
      <BackToList />
      <h2 className="m-0 mb-4 text-xl font-normal">Choose the kind of policy</h2>
      <ul className="m-0 grid list-none gap-x-10 p-0 md:grid-cols-2">
        {kindNames.map((kind) => (
          <li key={kind}>
            <Link
              to="/policies"
              search={(now) => ({ ...now, policy: 'new', kind })}
              className="block border-b border-rule py-3 text-ink no-underline hover:bg-sunken"
            >
              <span className="block text-sm font-medium">{kinds[kind].name}</span>
              <span className="block text-sm text-ink-2 first-letter:uppercase">
                {kinds[kind].description}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

export const BackToList = () => (
  <Link
    to="/policies"
    search={({ policy: _, kind: __, ...now }) => now}
    className="mb-4 inline-flex items-center gap-1.5 text-sm text-ink-2 no-underline hover:text-ink"
  >
    <ArrowLeft size={14} aria-hidden /> All policies
  </Link>
)
