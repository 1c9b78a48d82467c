import { asObject } from '../../json/index.js'
import { argumentHeaders } from '../upstream/index.js'
import type { FaceRules } from './contract.js'
import type { FaceCaller } from './face-caller.js'
import type { Addressed } from './governed.js'
import type { RpcRequest } from './message.js'
import { checkRepeated } from './standard-headers.js'

/** Arguments that a tool wants in headers too must be there, and be the same: else whoever reads the headers alone is deceived. */
export async function checkArgumentHeaders(
  { params }: RpcRequest,
  { server, name }: Pick<Addressed, 'server' | 'name'>,
  { headers, principal }: FaceCaller,
  rules: Pick<FaceRules, 'accessOf'>,
): Promise<void> {
  const tool = server.tools.find((each) => each.name === name)
  const wanted = Object.entries(argumentHeaders(asObject(tool?.definition).inputSchema, params.arguments))
  if (wanted.length === 0) return
  const access = await rules.accessOf(principal)
  const isKnown = (await access.toolsOf(server)).some((each) => each.name === name)
  // A caller that may not call it learns nothing of it, and the attempt is a call that is refused.
  if (!isKnown) return
  for (const [header, value] of wanted) checkRepeated(header, headers[header], value)
}
