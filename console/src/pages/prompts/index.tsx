import { Skeleton } from '../../parts'

export default function PromptsPage() {
  return <Skeleton className="h-40" />
}
