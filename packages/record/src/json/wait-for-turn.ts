/** Yields to other work of the process between two slices of a long computation. */
export type WaitForTurn = () => Promise<void>
