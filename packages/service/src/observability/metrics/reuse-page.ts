import type { MetricsPage } from './metrics.js'

export interface PageBytes {
  contentType: string
  body: Buffer
}

// Anyone may read the page as often as they like, so rendering is limited to one part in ten of the time.
const reuseFactor = 10
const maxReuseMs = 1_000

/** Renders a page once for all concurrent requests, and reuses it for ten times as long as rendering took, up to a second. */
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
