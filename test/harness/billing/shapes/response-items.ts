import type { JsonObject } from '../json.js'
import { dataUrl, makePdf, makePng } from '../make-files.js'
import { makeEncrypted } from '../text-tokens.js'
import { type Shape, shape } from './shape.js'
import { base64, code, english, long } from './texts.js'

// Every type of item that the input of a response may have: API reference, "Responses", `input`.

/** One item of some type, and a question after it. */
const after = (name: string, item: JsonObject, model = 'gpt-4o'): Shape =>
  shape('/v1/responses', `responses: ${name}`, model, {
    max_output_tokens: 80,
    input: [item, { role: 'user', content: 'And now?' }],
  })
const png = (width: number, height: number) => dataUrl('image/png', makePng(width, height))

export const itemShapes: readonly Shape[] = [
  after('arguments of a function call', {
    type: 'function_call',
    call_id: 'call_1',
    name: 'save',
    arguments: JSON.stringify({ text: long(english, 6_000) }),
  }),
  after('output of a function call', {
    type: 'function_call_output',
    call_id: 'call_1',
    output: long(code, 6_000),
  }),
  after('output of a function call in parts', {
    type: 'function_call_output',
    call_id: 'call_1',
    output: [
      { type: 'input_text', text: long(english, 3_000) },
      { type: 'input_image', image_url: png(1_200, 800) },
    ],
  }),
  after('a PDF in the output of a function', {
    type: 'function_call_output',
    call_id: 'call_1',
    output: [
      {
        type: 'input_file',
        filename: 'a.pdf',
        file_data: dataUrl('application/pdf', makePdf([long(english, 2_000), long(code, 2_000)])),
      },
    ],
  }),
  after('input of a custom tool call', {
    type: 'custom_tool_call',
    call_id: 'call_1',
    name: 'run',
    input: long(code, 6_000),
  }),
  after('output of a custom tool call', {
    type: 'custom_tool_call_output',
    call_id: 'call_1',
    output: long(english, 6_000),
  }),
  after('output of a shell call', {
    type: 'shell_call_output',
    call_id: 'call_1',
    output: [
      { stdout: long(code, 6_000), stderr: long(english, 500), outcome: { type: 'exit', exit_code: 1 } },
    ],
  }),
  after('commands of a shell call', {
    type: 'shell_call',
    call_id: 'call_1',
    action: { commands: [long(code, 3_000)], timeout_ms: 1_000 },
  }),
  after('a local shell call and its environment', {
    type: 'local_shell_call',
    id: 'lsh_1',
    call_id: 'call_1',
    status: 'completed',
    action: { type: 'exec', command: ['sh', '-c', long(code, 3_000)], env: { NOTE: long(english, 1_000) } },
  }),
  after('output of a local shell call', {
    type: 'local_shell_call_output',
    id: 'call_1',
    output: long(code, 5_000),
  }),
  after('a patch', {
    type: 'apply_patch_call',
    call_id: 'call_1',
    status: 'completed',
    operation: { type: 'update_file', path: 'a.ts', diff: long(code, 5_000) },
  }),
  after('output of a patch', {
    type: 'apply_patch_call_output',
    call_id: 'call_1',
    status: 'failed',
    output: long(english, 4_000),
  }),
  after('a screenshot', {
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', image_url: png(1_280, 800) },
  }),
  after('a screenshot that is only named', {
    type: 'computer_call_output',
    call_id: 'call_1',
    output: { type: 'computer_screenshot', file_id: 'file-image-2560x1600' },
  }),
  after('text typed by the computer tool', {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'call_1',
    status: 'completed',
    pending_safety_checks: [],
    action: { type: 'type', text: long(english, 4_000) },
  }),
  after('results of a file search', {
    type: 'file_search_call',
    id: 'fs_1',
    status: 'completed',
    queries: ['tally'],
    results: [{ file_id: 'file-1', filename: 'a.txt', score: 0.9, text: long(english, 6_000) }],
  }),
  after('code of the interpreter, and its logs', {
    type: 'code_interpreter_call',
    id: 'ci_1',
    container_id: 'cntr_1',
    status: 'completed',
    code: long(code, 3_000),
    outputs: [{ type: 'logs', logs: long(english, 3_000) }],
  }),
  after('an image that was made before', {
    type: 'image_generation_call',
    id: 'ig_1',
    status: 'completed',
    result: makePng(1_024, 1_536).toString('base64'),
  }),
  after('tools of an MCP server', {
    type: 'mcp_list_tools',
    id: 'mcpl_1',
    server_label: 'remote',
    tools: [{ name: 'look', description: long(english, 4_000), input_schema: { type: 'object' } }],
  }),
  after('a call to an MCP server', {
    type: 'mcp_call',
    id: 'mcp_1',
    name: 'look',
    server_label: 'remote',
    arguments: JSON.stringify({ at: long(code, 2_000) }),
    output: long(english, 4_000),
  }),
  after('an approval that an MCP server asked for', {
    type: 'mcp_approval_request',
    id: 'mcpr_1',
    name: 'look',
    server_label: 'remote',
    arguments: JSON.stringify({ at: long(code, 4_000) }),
  }),
  after('an approval with its reason', {
    type: 'mcp_approval_response',
    approval_request_id: 'mcpr_1',
    approve: false,
    reason: long(english, 4_000),
  }),
  after(
    'reasoning with its text',
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: long(english, 3_000) }],
      content: [{ type: 'reasoning_text', text: long(english, 3_000) }],
    },
    'o4-mini',
  ),
  after(
    'reasoning that is encrypted',
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: makeEncrypted(3_000),
    },
    'o4-mini',
  ),
  after(
    'a compacted conversation',
    {
      type: 'compaction',
      id: 'cmp_1',
      encrypted_content: base64(9_000),
    },
    'gpt-5',
  ),
  after('what the assistant refused', {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'refusal', refusal: long(english, 6_000) }],
  }),
  after(
    'tools found by searching',
    {
      type: 'tool_search_output',
      call_id: 'call_1',
      execution: 'client',
      status: 'completed',
      tools: [{ type: 'function', name: 'found', description: long(english, 4_000), parameters: {} }],
    },
    'gpt-5.4',
  ),
  after(
    'a program and its output',
    {
      type: 'program_output',
      id: 'po_1',
      call_id: 'call_1',
      result: long(english, 4_000),
      status: 'completed',
    },
    'gpt-5.4',
  ),
  after('an item of an unknown type', { type: 'dream', scenes: [{ about: [long(english, 4_000)] }] }),
]
