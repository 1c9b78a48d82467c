const print = (_context: object, message: string) => console.error(message)

/** Prints what a command reports besides its result to standard error. */
export const commandLog = { warn: print, error: print }
