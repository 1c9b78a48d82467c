import { Skeleton } from '../../parts'

export default function UsagePage() {
  return <Skeleton className="h-40" />
}
