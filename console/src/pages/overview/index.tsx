import { Skeleton } from '../../parts'

export default function OverviewPage() {
  return <Skeleton className="h-40" />
}
