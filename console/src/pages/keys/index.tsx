import { Skeleton } from '../../parts'

export default function KeysPage() {
  return <Skeleton className="h-40" />
}
