import { Skeleton } from '../../parts'

export default function SettingsPage() {
  return <Skeleton className="h-40" />
}
