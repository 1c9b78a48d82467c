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

interface Requester {
  /** Starts a sentence. */
  name: string
  /** Names the request within a sentence. */
  requestName: string
}

/** Returns a function that names the requester of a request. */
export function useRequester() {
  const { personName } = useNames()
  const session = useSession()
  return ({ requestedBy: { keyId, userId } }: BudgetRequest): Requester => {
    const isOwn = userId === null ? keyId === session.keyId : userId === session.userId
    if (isOwn) return { name: 'You', requestName: 'your request' }
    if (userId === null)
      return { name: 'A key without an owner', requestName: 'the request of a key without an owner' }
    const name = personName(userId)
    return { name, requestName: `${name}’s request` }
  }
}
