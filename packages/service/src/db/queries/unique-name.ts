import { hasCode } from '../../shared/error-code.js'
import { conflict } from '../../shared/errors.js'

const uniqueViolation = '23505'

/** Writes a row whose name must be free. The unique index decides between concurrent writes of the same name. */
export async function orNameTaken<T>(what: string, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw hasCode(error, uniqueViolation) ? conflict(`There is already a ${what} called ${name}`) : error
  }
}
