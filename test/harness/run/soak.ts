/**
 * `npm run soak` runs the long forms: attacks that last this long, more kills, a rolling minute in real time. Null in the ordinary
 * run, in which an attack ends as soon as it was one.
 */
export const soakSeconds: number | null =
  process.env.SOAK_SECONDS === undefined ? null : Number(process.env.SOAK_SECONDS)

export const isSoak: boolean = soakSeconds !== null
