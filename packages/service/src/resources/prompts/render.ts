import { invalidField } from '../../shared/errors.js'
import type { PromptReference } from './reference.js'

type PromptVariables = NonNullable<PromptReference['variables']>

// Linear time on any text: no two adjacent parts can match the same character.
const variable = /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/g

// About a million tokens. A short prompt can repeat one long value thousands of times: without a bound, a call of a
// few megabytes could exhaust the memory.
const maxRenderedLength = 4 * 1024 * 1024

/**
 * Replaces each variable by its value, in one pass: braces inside a value are the caller's text and stay unchanged.
 */
export function renderPrompt(content: string, variables: PromptVariables): string {
  const missing = new Set<string>()
  let length = content.length
  for (const [placeholder, name = ''] of content.matchAll(variable)) {
    // Own properties only: `{{constructor}}` must not find an inherited one.
    if (!Object.hasOwn(variables, name)) missing.add(name)
    else length += String(variables[name]).length - placeholder.length
  }
  if (missing.size > 0)
    throw invalidField('prompt.variables', `the prompt also needs ${[...missing].join(', ')}`)
  if (length > maxRenderedLength) {
    throw invalidField(
      'prompt.variables',
      `the prompt would have ${length} characters; at most ${maxRenderedLength} are allowed`,
    )
  }
  return content.replaceAll(variable, (_, name: string) => String(variables[name]))
}
