import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'

/** A vector says nothing to a reader, and takes most of an answer. */
export function summarizeVectors({ data, ...answer }: JsonObject): { answer: JsonObject; note: string } {
  const vectors = asArray(data)
  const { embedding } = asObject(vectors[0])
  // In base64, four bytes for each number.
  const dimensions = Array.isArray(embedding)
    ? embedding.length
    : Math.floor((asText(embedding).length * 3) / 16)
  return {
    answer: { ...answer, vectors: { count: vectors.length, dimensions } },
    note: 'The vectors themselves are not kept',
  }
}
