export interface Page<Item> {
  data: Item[]
  /** The `cursor` of the next page. Null on the last page. */
  nextCursor: string | null
}

/**
 * A list that is read page by page. `for await` yields the items of all pages and requests each page when it is needed. `await` returns
 * the first page.
 */
export interface Pages<Item> extends AsyncIterable<Item>, PromiseLike<Page<Item>> {
  pages(): AsyncIterable<Page<Item>>
}

export function createPages<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): Pages<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void> {
    let cursor: string | undefined
    do {
      const page = await read(cursor)
      yield page
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }
  async function* items(): AsyncGenerator<Item, void> {
    for await (const page of pages()) yield* page.data
  }
  return {
    pages,
    [Symbol.asyncIterator]: items,
    // biome-ignore lint/suspicious/noThenProperty: `await` returns the first page.
    then: (onFulfilled, onRejected) => read(undefined).then(onFulfilled, onRejected),
  }
}
