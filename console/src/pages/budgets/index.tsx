import { Skeleton } from '../../parts'

export default function BudgetsPage() {
  return <Skeleton className="h-40" />
}
