import { type PromptReader, readPromptReference, renderPrompt } from '../../../resources/prompts/index.js'
import { invalidField } from '../../../shared/errors.js'
import type { Call } from '../call.js'

/** A stored prompt that a call uses, with its rendered text. */
export interface UsedPrompt {
  id: string
  version: number
  text: string
}

/** Renders the prompt that a call names into its system text, and removes the reference from the forwarded body. */
export async function applyPrompt(
  { body, raw, members, endpoint }: Call,
  tenantId: string,
  prompts: PromptReader,
  edits: Map<string, string | null>,
): Promise<UsedPrompt | null> {
  if (endpoint.shape.input.members.has('prompt') || body.prompt === undefined || body.prompt === null)
    return null
  const reference = readPromptReference(body.prompt)
  const { promptId, version, content } = await prompts.resolve(tenantId, reference)
  const text = renderPrompt(content, reference.variables ?? {})
  const jsonOf = (name: string) => {
    const member = members.find((each) => each.name === name)
    return member ? raw.toString('utf8', member.valueStart, member.valueEnd) : 'null'
  }
  const system = endpoint.addSystemText(text, body, jsonOf)
  if (system === null)
    throw invalidField('prompt', 'this endpoint has no system text that a prompt could go into')
  edits.set(system.name, system.json)
  edits.set('prompt', null)
  return { id: promptId, version, text }
}
