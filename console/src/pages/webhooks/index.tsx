import { Skeleton } from '../../parts'

export default function WebhooksPage() {
  return <Skeleton className="h-40" />
}
