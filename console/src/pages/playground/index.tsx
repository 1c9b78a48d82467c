import { Skeleton } from '../../parts'

export default function PlaygroundPage() {
  return <Skeleton className="h-40" />
}
