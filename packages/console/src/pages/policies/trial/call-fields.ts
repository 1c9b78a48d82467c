export interface CallFields {
  model: string
  tools: string
  maxOutputTokens: string
  stream: boolean
}

export const noCallFields: CallFields = { model: '', tools: '', maxOutputTokens: '', stream: false }

export function composeCall(
  text: string,
  phase: 'input' | 'output',
  { model, keyId, tools, maxOutputTokens, stream }: CallFields & { keyId: string | undefined },
) {
  const names = tools.split(/[\s,]+/).filter((name) => name !== '')
  const called = names.map((name, n) => ({
    id: `call_${n}`,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  const isAnswer = phase === 'output'
  const message = isAnswer
    ? { role: 'assistant', content: text, ...(called.length > 0 && { tool_calls: called }) }
    : { role: 'user', content: text }
  return {
    model,
    phase,
    stream,
    messages: [message],
    ...(keyId !== undefined && { keyId }),
    ...(!isAnswer &&
      names.length > 0 && { tools: names.map((name) => ({ type: 'function', function: { name } })) }),
    ...(maxOutputTokens !== '' && { maxOutputTokens: Number(maxOutputTokens) }),
  }
}
