import { expect, test } from 'vitest'
import { readOpenFileLimit } from '../../shared/file-limit.js'
import { describeFailure } from './transport-failure.js'

test('a call that finds no file descriptor says so, with the limit and what to do', () => {
  const limit = readOpenFileLimit()
  const cause = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' })
  const { error, kind } = describeFailure('openai', cause)
  expect({ status: error.status, kind }).toEqual({ status: 503, kind: 'connect' })
  expect(error.message).toContain('no file descriptors left')
  if (limit !== null) expect(error.message).toContain(`of the ${limit} that it may have (EMFILE)`)
  expect(error.message).toContain('ulimit -n')
  const ofMachine = describeFailure('openai', Object.assign(new Error('x'), { code: 'ENFILE' })).error
  expect(ofMachine.message).toContain('fs.file-max')
})
