/**
 * Aborted when the signal is, or when the time is over. The timer is our own: Node 20 collects an `AbortSignal.timeout` that nothing but
 * `AbortSignal.any` refers to, and it never fires.
 */
export function withDeadline(signal: AbortSignal, ms: number): AbortSignal {
  const over = new AbortController()
  setTimeout(() => over.abort(new DOMException('The time is over', 'TimeoutError')), ms).unref()
  return AbortSignal.any([signal, over.signal])
}
