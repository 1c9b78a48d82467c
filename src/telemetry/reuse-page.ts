import type { MetricsPage } from './metrics.js'

export interface PageBytes {
  contentType: string
  body: Buffer
}

// Anyone may read the page, as often as they like: making it must not take more than this part of the time.
const reuseFactor = 10
const maxReuseMs = 1_000

/** Makes a page once for all who ask while it is made, and for ten times as long as that took, up to a second. All readers share its bytes. */
export function reusePage(make: () => Promise<MetricsPage>): () => Promise<PageBytes> {
  let page: Promise<PageBytes> | null = null

  async function makeOnce(): Promise<PageBytes> {
    const startedMs = performance.now()
    const { contentType, text } = await make()
    const body = Buffer.from(text)
    const tookMs = performance.now() - startedMs
    setTimeout(forget, Math.min(tookMs * reuseFactor, maxReuseMs)).unref()
    return { contentType, body }
  }
  function forget(): void {
    page = null
  }
  return () => {
    page ??= makeOnce().catch((error: unknown) => {
      forget()
      throw error
    })
    return page
  }
}
