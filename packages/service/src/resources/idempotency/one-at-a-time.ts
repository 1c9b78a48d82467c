import type { Db } from '../../db/index.js'

const underWay = new WeakMap<Db, Map<string, Promise<unknown>>>()

/**
 * Runs work of one name after earlier work of the same name in this process. In the database they would wait too,
 * each with a connection of the pool, and could keep the first one from getting the second connection that it
 * needs.
 */
export async function oneAtATime<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const running = underWay.get(db) ?? new Map<string, Promise<unknown>>()
  underWay.set(db, running)
  for (let before = running.get(name); before !== undefined; before = running.get(name))
    await before.catch(() => undefined)
  const result = work()
  running.set(name, result)
  try {
    return await result
  } finally {
    running.delete(name)
  }
}
