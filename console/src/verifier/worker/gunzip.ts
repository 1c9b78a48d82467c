type Chunk = Uint8Array<ArrayBuffer>

export const isGzip = (start: Uint8Array): boolean => start[0] === 0x1f && start[1] === 0x8b

const idle = Symbol('idle')

/**
 * A file that is cut off or damaged counts as one that ends there. A stream that fails throws away what was not read of it yet, so
 * everything is read before more is written.
 */
export async function* gunzip(packed: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void> {
  const { readable, writable } = new DecompressionStream('gzip')
  const reader = readable.getReader()
  const writer = writable.getWriter()
  let reading: ReturnType<typeof reader.read> | undefined
  /** Null at the end. */
  async function next(written: Promise<void>): Promise<Chunk | typeof idle | null> {
    reading ??= reader.read()
    const result = await Promise.race([reading, written.then(turn).then(() => idle)])
    if (typeof result === 'symbol') return idle
    reading = undefined
    return result.done ? null : new Uint8Array(result.value)
  }
  try {
    for await (const piece of packed) {
      const written = writer.write(piece)
      for (let chunk = await next(written); chunk !== idle; chunk = await next(written)) {
        if (chunk === null) return
        yield chunk
      }
    }
    const closed = writer.close()
    for (let chunk = await next(closed); chunk !== null; chunk = await next(closed))
      if (typeof chunk !== 'symbol') yield chunk
  } catch (error) {
    // The one error that a damaged file gives; what reading the file throws is another.
    if (!(error instanceof TypeError)) throw error
  }
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve))
