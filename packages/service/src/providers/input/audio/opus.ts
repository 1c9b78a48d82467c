const maxPacketMs = 120

/**
 * Returns how long an Opus packet plays, by its first two bytes (RFC 6716, section 3). A decoder may conceal a
 * missing packet.
 */
export function opusPacketSeconds(first: number | undefined, second = 0xff): number {
  if (first === undefined) return maxPacketMs / 1000
  const config = first >> 3
  const frameMs =
    config < 12
      ? ([10, 20, 40, 60][config & 3] ?? 60)
      : config < 16
        ? 10 << (config & 1)
        : 2.5 * 2 ** (config & 3)
  const code = first & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : Math.max(1, second & 63)
  return Math.min(maxPacketMs, frames * frameMs) / 1000
}
