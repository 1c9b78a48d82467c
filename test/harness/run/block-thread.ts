/** Blocks this thread for a time, as if the process were paused. It uses no processor time. */
export function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
