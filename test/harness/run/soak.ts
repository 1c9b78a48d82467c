/**
 * The duration of attacks in `npm run soak`, which also kills more processes and tests a rolling minute in real time. Null in the
 * ordinary run, in which attacks are short.
 */
export const soakSeconds: number | null =
  process.env.SOAK_SECONDS === undefined ? null : Number(process.env.SOAK_SECONDS)

export const isSoak: boolean = soakSeconds !== null
