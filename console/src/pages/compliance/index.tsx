import { Skeleton } from '../../parts'

export default function CompliancePage() {
  return <Skeleton className="h-40" />
}
