import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components'

export function NotFound() {
  return (
    <main className="mx-auto max-w-2xl p-8">
      <EmptyState
        title="Page not found"
        action={
          <Link to="/" className="link">
            Go to the overview
          </Link>
        }
      />
    </main>
  )
}
