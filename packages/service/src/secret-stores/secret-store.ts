/** A store of secrets outside of this machine. A further one is a file here, a line in `open-stores.ts` and a scheme in the configuration. */
export interface SecretStore {
  /**
   * Reads the current version of a secret: text, or the JSON of an object with several. Throws a `SecretStoreError`. It is called at the
   * start and at each refresh, and may keep what it needs for the next time, such as a token.
   */
  read(location: string): Promise<string>
}

/** A secret could not be read. The message never contains a secret. */
export class SecretStoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'SecretStoreError'
  }
}
