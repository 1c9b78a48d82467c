import { Skeleton } from '../../parts'

export default function PoliciesPage() {
  return <Skeleton className="h-40" />
}
