const print = (_context: object, message: string) => console.error(message)

/** What a command has to say beside its result. */
export const commandLog = { warn: print, error: print }
