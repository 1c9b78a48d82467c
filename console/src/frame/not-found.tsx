import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts'

export function NotFound() {
  return (
    <main className="mx-auto max-w-2xl p-8">
      <EmptyState
        title="There is no such page"
        action={
          <Link to="/" className="link">
            Go to the overview
          </Link>
        }
      />
    </main>
  )
}
