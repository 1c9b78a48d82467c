/** Contains a message for every fault of the configuration, so that an operator can fix all of them at once. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    )
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
