import type { SpendAccount } from '../../shared/spend-account.js'

/** Collects keys and arguments in the order in which a script reads them. */
export class ScriptCall {
  readonly keys: string[] = []
  readonly args: (string | number)[] = []

  addKeys(...keys: string[]): this {
    this.keys.push(...keys)
    return this
  }

  addArguments(...args: (string | number)[]): this {
    this.args.push(...args)
    return this
  }

  /** Adds the number of items, followed by the items. */
  addList<T>(items: readonly T[], write: (item: T) => void): this {
    this.args.push(items.length)
    for (const item of items) write(item)
    return this
  }
}

export const formatPeriod = ({ startMs, endMs }: SpendAccount): string => `${startMs}:${endMs ?? ''}`
