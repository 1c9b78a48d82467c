import type { SpendAccount } from '../../shared/spend-account.js'

/** Gathers keys and arguments in the order in which a script reads them. */
export class ScriptCall {
  readonly keys: string[] = []
  readonly args: (string | number)[] = []

  key(...keys: string[]): this {
    this.keys.push(...keys)
    return this
  }

  arg(...args: (string | number)[]): this {
    this.args.push(...args)
    return this
  }

  /** Their number, and then each of them. */
  list<T>(items: readonly T[], write: (item: T, call: this) => void): this {
    this.args.push(items.length)
    for (const item of items) write(item, this)
    return this
  }
}

export const periodOf = ({ startMs, endMs }: SpendAccount): string => `${startMs}:${endMs ?? ''}`
