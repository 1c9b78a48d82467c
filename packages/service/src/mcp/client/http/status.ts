import { UnauthorizedFault, UpstreamFault } from '../fault.js'

/** Returns the fault for an HTTP status. Null for a status of success. */
export function faultOfStatus(status: number): UpstreamFault | null {
  if (status === 401) return new UnauthorizedFault()
  if (status === 403)
    return new UpstreamFault('credential', 'The server does not allow this with the credential (HTTP 403)')
  if (status >= 300 && status < 400)
    return new UpstreamFault(
      'refused',
      `The server answered with a redirect (HTTP ${status}), which is not followed`,
    )
  return status < 300 ? null : new UpstreamFault('refused', `The server answered HTTP ${status}`)
}
