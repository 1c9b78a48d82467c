import { asText, type JsonObject } from '../../json/index.js'

const arguments_ = ['arguments']
const output = ['output']
const action = ['action', 'actions']
const tools = ['tools']
const encrypted = ['encrypted_content']

/** By type, the members of an item of the `responses` dialect that hold all that the model reads of it. */
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
 * Whether the provider has to look an item up by its id, because the caller does not send what it says. Items of types that are not
 * in the table, such as searches, leave out results that the provider keeps.
 */
export function isLookedUp(item: JsonObject): boolean {
  if (asText(item.id) === '') return false
  const type = asText(item.type)
  if (type === '' && (item.content !== undefined || item.role !== undefined)) return false
  const members = Object.hasOwn(contentMembers, type) ? contentMembers[type] : encrypted
  return !members?.some((member) => item[member] !== undefined && item[member] !== null)
}
