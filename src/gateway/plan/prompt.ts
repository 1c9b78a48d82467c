import { invalidField } from '../../errors.js'
import { type PromptReader, readPromptReference, renderPrompt } from '../../modules/prompts/index.js'
import type { Call } from '../call.js'

/** A stored prompt that a call uses: which one, and what it says with its variables filled in. */
export interface UsedPrompt {
  id: string
  version: number
  text: string
}

/** Renders the prompt that a call names into its system text, and takes the reference out of what is forwarded. */
export async function applyPrompt(
  { body, raw, members, dialect }: Call,
  tenantId: string,
  prompts: PromptReader,
  edits: Map<string, string | null>,
): Promise<UsedPrompt | null> {
  if (dialect.hasOwnPrompt || body.prompt === undefined || body.prompt === null) return null
  const reference = readPromptReference(body.prompt)
  const { promptId, version, content } = await prompts.resolve(tenantId, reference)
  const text = renderPrompt(content, reference.variables ?? {})
  const jsonOf = (name: string) => {
    const member = members.find((each) => each.name === name)
    return member ? raw.toString('utf8', member.valueStart, member.valueEnd) : 'null'
  }
  const system = dialect.withSystem(text, body, jsonOf)
  if (system === null)
    throw invalidField('prompt', 'this endpoint has no system text that a prompt could go into')
  edits.set(system.name, system.json)
  edits.set('prompt', null)
  return { id: promptId, version, text }
}
