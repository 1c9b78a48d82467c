import { Skeleton } from '../../parts'

export default function PeoplePage() {
  return <Skeleton className="h-40" />
}
