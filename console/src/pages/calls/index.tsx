import { Skeleton } from '../../parts'

export default function CallsPage() {
  return <Skeleton className="h-40" />
}
