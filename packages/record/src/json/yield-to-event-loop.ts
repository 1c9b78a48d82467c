/** Lets other work of the process run between two slices of a long computation. */
export type YieldToEventLoop = () => Promise<void>
