/** Estimates of the memory that values take besides the bytes of their texts, measured with a million of each. */
export const containerBytes = 64
export const valueBytes = 16
const memberBytes = 48

const zero = 0x30
const nine = 0x39

// An object with a small number as a member name reserves memory for all smaller numbers.
const maxDenseIndex = 512

export function bytesOfName(name: string): number {
  const first = name.charCodeAt(0)
  if (name.length > 3 || first < zero || first > nine) return memberBytes
  const index = Number(name)
  return index < maxDenseIndex ? memberBytes + 12 * index : memberBytes
}
