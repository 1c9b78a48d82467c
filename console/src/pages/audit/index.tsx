import { Skeleton } from '../../parts'

export default function AuditPage() {
  return <Skeleton className="h-40" />
}
