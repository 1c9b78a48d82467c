import { Status, type Tone } from '../../../components'
import { useSession } from '../../../session'
import { useNames } from '../../keys/use-keys'
import type { BudgetRequest } from '../budget'

const tones: Record<BudgetRequest['status'], Tone> = { pending: 'warn', approved: 'ok', denied: 'bad' }
const names: Record<BudgetRequest['status'], string> = {
  pending: 'pending',
  approved: 'granted',
  denied: 'denied',
}

export const RequestStatus = ({ request }: { request: BudgetRequest }) => (
  <Status tone={tones[request.status]}>{names[request.status]}</Status>
)

/** Returns a function that names the requester of a request. */
export function useRequesterName() {
  const { personName } = useNames()
  const session = useSession()
  return ({ requestedBy: { keyId, userId } }: BudgetRequest): string => {
    if (userId !== null) return userId === session.userId ? 'You' : personName(userId)
    return keyId === session.keyId ? 'You' : 'A key without an owner'
  }
}
