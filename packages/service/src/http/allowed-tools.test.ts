import { expect, test } from 'vitest'
import { ApiError } from '../shared/errors.js'
import { requireToolPatterns } from './allowed-tools.js'

function faultOf(patterns: string[] | null): ApiError | null {
  try {
    requireToolPatterns(patterns)
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

test.for([
  ...[
    'github__*',
    'github__create/issue',
    '*',
    '**',
    '*__read_file',
    '*read*',
    'git*',
    'git*__read',
    'git_*',
  ],
  ...['a__b__c', 'github___private', 'github__', '0-1__*', '*/anything', 'seen-*__read'],
])('%s can match, and is taken', (pattern) => {
  expect(faultOf([pattern])).toBeNull()
})

test.for([
  ['everything/*', 'everything__*'],
  ['GitHub__Create', 'github__Create'],
  ['github.read', 'github__read'],
  ['github', 'github__*'],
  ['__read', 'github__*'],
  ['git_hub__*', 'git__hub__*'],
  [`${'x'.repeat(33)}__*`, 'github__*'],
])('%s can match nothing, and is refused with what to write: %s', ([pattern = '', example]) => {
  expect(faultOf(['files__*', pattern])?.message).toBe(
    `allowedTools.1: matches no tool: their names are server__tool, with the server in lower case. Write for instance ${example}`,
  )
})

test('no list and an empty list are valid', () => {
  expect([faultOf(null), faultOf([])]).toEqual([null, null])
})
