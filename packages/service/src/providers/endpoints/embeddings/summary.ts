import { asArray, asObject, asText, type JsonObject } from '@tallystick/record/json'

/** Leaves the vectors out of an answer: they take most of its size and cannot be read by a person. */
export function summarizeVectors({ data, ...answer }: JsonObject): { answer: JsonObject; note: string } {
  const vectors = asArray(data)
  const { embedding } = asObject(vectors[0])
  // In base64, each number has four bytes.
  const dimensions = Array.isArray(embedding)
    ? embedding.length
    : Math.floor((asText(embedding).length * 3) / 16)
  return {
    answer: { ...answer, vectors: { count: vectors.length, dimensions } },
    note: 'The vectors themselves are not kept',
  }
}
