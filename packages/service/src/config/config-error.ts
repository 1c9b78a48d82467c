/** Contains a message for every fault of the configuration, so that an operator can fix all of them at once. */
export class ConfigError extends Error {
  readonly faults: string[]

  constructor(found: readonly string[]) {
    // A setting that is read twice has its fault twice.
    const faults = [...new Set(found)]
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    )
    this.faults = faults
    this.name = 'ConfigError'
  }
}

/** The configuration refers to secrets in stores, which are read before it can be used. */
export class MissingSecretsError extends ConfigError {
  constructor(readonly references: ReadonlySet<string>) {
    super([...references].map((reference) => `${reference}: is in a secret store, which is not read here`))
    this.name = 'MissingSecretsError'
  }
}
