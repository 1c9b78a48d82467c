import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generate, root } from '../../scripts/sdk/generate.mjs'

test.each([...generate()])('%s agrees with openapi.json (npm run openapi writes both)', (path, text) => {
  expect(readFileSync(new URL(path, root), 'utf8')).toBe(text)
})
