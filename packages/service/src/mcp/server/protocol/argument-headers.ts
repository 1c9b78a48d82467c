import { asObject } from '@tallystick/record/json'
import { writeArgumentHeaders } from '../../client/index.js'
import type { McpCaller } from '../caller.js'
import type { CallTarget } from '../calls/tool-request.js'
import type { ToolGateway } from '../contract.js'
import type { RpcRequest } from './message.js'
import { checkRepeated } from './standard-headers.js'

/** Checks that arguments that a tool requires in headers too are present and equal, because proxies may read only the headers. */
export async function checkArgumentHeaders(
  { params }: RpcRequest,
  { server, name }: Pick<CallTarget, 'server' | 'name'>,
  { headers, principal }: McpCaller,
  gateway: Pick<ToolGateway, 'accessOf'>,
): Promise<void> {
  const tool = server.tools.find((each) => each.name === name)
  const wanted = Object.entries(
    writeArgumentHeaders(asObject(tool?.definition).inputSchema, params.arguments),
  )
  if (wanted.length === 0) return
  const access = await gateway.accessOf(principal)
  const isKnown = (await access.toolsOf(server)).some((each) => each.name === name)
  // For a caller that may not call the tool, nothing is checked here. Its call is refused later, with a receipt.
  if (!isKnown) return
  for (const [header, value] of wanted) checkRepeated(header, headers[header], value)
}
