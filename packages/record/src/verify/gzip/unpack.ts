import { gunzip, isGzip } from './gunzip.js'

/** Yields the content of a file, which may be compressed with gzip. */
export async function* unpack(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  const read = chunks[Symbol.asyncIterator]()
  let start = Buffer.of()
  // The first chunk of a pipe may be a single byte.
  while (start.length < 2) {
    const { done, value } = await read.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  const all = startingWith(start, { [Symbol.asyncIterator]: () => read })
  if (isGzip(start)) yield* gunzip(all)
  else for await (const chunk of all) yield Buffer.from(chunk)
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield first
  yield* rest
}
