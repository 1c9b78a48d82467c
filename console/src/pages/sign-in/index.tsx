import { Skeleton } from '../../parts'

export default function SignInPage() {
  return <Skeleton className="h-40" />
}
