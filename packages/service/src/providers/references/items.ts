import { asText, type JsonObject } from '@tallystick/record/json'

const arguments_ = ['arguments']
const output = ['output']
const action = ['action', 'actions']
const tools = ['tools']
const encrypted = ['encrypted_content']

/** The members of an item of the `responses` dialect, by type, that contain everything the model reads of it. */
const contentMembers: Readonly<Record<string, readonly string[]>> = {
  message: ['content'],
  reasoning: encrypted,
  compaction: encrypted,
  function_call: arguments_,
  function_call_output: output,
  custom_tool_call: ['input'],
  custom_tool_call_output: output,
  computer_call: action,
  computer_call_output: output,
  local_shell_call: action,
  local_shell_call_output: output,
  shell_call: action,
  shell_call_output: output,
  apply_patch_call: ['operation'],
  apply_patch_call_output: ['status', 'output'],
  mcp_list_tools: tools,
  mcp_call: arguments_,
  mcp_approval_request: arguments_,
  mcp_approval_response: ['approve'],
  image_generation_call: ['result'],
  additional_tools: tools,
  tool_search_call: arguments_,
  tool_search_output: tools,
}

/**
 * True when the provider must look an item up by its id, because the caller does not send its content. Items of
 * types outside the table, such as searches, omit results that the provider stores.
 */
export function isLookedUp(item: JsonObject): boolean {
  if (asText(item.id) === '') return false
  const type = asText(item.type)
  if (type === '' && (item.content !== undefined || item.role !== undefined)) return false
  const members = Object.hasOwn(contentMembers, type) ? contentMembers[type] : encrypted
  return !members?.some((member) => item[member] !== undefined && item[member] !== null)
}
