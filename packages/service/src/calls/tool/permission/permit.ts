import { isObject } from '@tallystick/record/json'
import type { EntryCheck } from '../../../record/index.js'
import { check, type Permission } from '../../core/index.js'
import type { DecidedToolAttempt, ToolCall } from '../call.js'
import type { ToolRequest } from '../contract.js'
import { unknownTarget } from '../read-call.js'
import { type CallingRights, findCallable, mayUseServer } from './may-call.js'
import { mayReadResource, mayUsePrompt } from './may-read.js'

/** Checks whether the caller may use the tool, resource or prompt. */
export function permitTool({ call, entitlements, plan }: DecidedToolAttempt): Permission {
  const { request } = call
  const isAllowed = isCallAllowed(call, { entitlements, selection: plan.selection })
  return {
    checks: [check('toolAllowlist', true, isAllowed), ...unapproved(request)],
    refusal: isAllowed ? null : unknownTarget(request.method, request.name),
  }
}

function isCallAllowed({ request, params }: ToolCall, rights: CallingRights): boolean {
  const { method, server, name } = request
  if (method === 'tools/call') return findCallable(server, name, rights) !== null
  if (!mayUseServer(server, rights)) return false
  const isOfResource =
    method === 'resources/read' || (isObject(params.ref) && params.ref.type === 'ref/resource')
  return isOfResource ? mayReadResource(name, server.resources) : mayUsePrompt(name, server.prompts)
}

/** Returns a warning when the tool differs from the definition that was approved. */
function unapproved({ method, server, name }: ToolRequest): EntryCheck[] {
  const tool = method === 'tools/call' ? server.tools.find((each) => each.name === name) : undefined
  return tool?.isUnapproved === true
    ? [{ name: 'tool_pin', applicable: true, result: 'fail', action: 'flag' }]
    : []
}
