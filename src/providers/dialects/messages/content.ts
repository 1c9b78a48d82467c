import { asArray, asObject, asText, writeJson } from '../../../json/index.js'
import { type InputContent, tokensPerFile, tokensPerImage } from '../dialect.js'

/** Requests and answers have their text in blocks of the same kinds. */
export function collectContent(content: unknown, input: InputContent): void {
  input.texts.push(asText(content))
  for (const block of asArray(content).map(asObject)) {
    if (block.type === 'image') input.fixedTokens += tokensPerImage
    else if (block.type === 'document') input.fixedTokens += tokensPerFile
    else if (block.type === 'tool_result') collectContent(block.content, input)
    else if (block.type === 'tool_use') input.texts.push(asText(block.name), writeJson(block.input ?? {}))
    else input.texts.push(asText(block.text), asText(block.thinking))
  }
}
