/**
 * Goes on with a value, now if it is there. Nearly all calls are judged without a wait, and a promise for each step of
 * that would cost as much as the look at their texts.
 */
export function andThen<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
