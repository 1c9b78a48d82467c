import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorState } from '../components'

export const PageError = ({ error, reset }: ErrorComponentProps) => (
  <div className="p-8">
    <ErrorState error={error} retry={reset} />
  </div>
)
