/**
 * Goes on with a value, now if it is there. Nearly all calls are judged without a wait, and need no promise for each step.
 */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
