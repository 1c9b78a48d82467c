import { asArray, asObject, type JsonObject } from '@tallystick/record/json'

/** True for a role, empty texts, or what a vendor reports about the request: nothing that the model produced. */
export function isChatPreamble(chunk: JsonObject): boolean {
  if (hasValue(chunk.error) || hasValue(chunk.usage)) return false
  return asArray(chunk.choices)
    .map(asObject)
    .every(({ delta, finish_reason, text }) => {
      const { role: _, ...rest } = asObject(delta)
      return (
        !hasValue(finish_reason) && !hasValue(text) && Object.values(rest).every((value) => !hasValue(value))
      )
    })
}

const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
