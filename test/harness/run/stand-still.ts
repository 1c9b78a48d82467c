/** This process does nothing for so long, as on a machine that has stopped it. The processor is left to others. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
