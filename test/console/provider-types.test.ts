import { expect, test } from 'vitest'
import { providerTypes } from '../../packages/console/src/pages/providers/provider/types.js'
import { vendors } from '../../packages/service/src/providers/vendors/index.js'

// The page of providers knows only the API, which lists no types. What it says of them is the service's own table.

test('the form knows every type of provider, its address and its options', () => {
  const shown = providerTypes.map(({ type, baseUrl, needsBaseUrl = false, options = [] }) => ({
    type,
    baseUrl,
    needsBaseUrl,
    options: options.map(({ name, required }) => ({ name, required })),
  }))
  const known = [...vendors.values()].map(({ type, baseUrl, baseUrlFor, options = [] }) => ({
    type,
    baseUrl,
    needsBaseUrl: baseUrl === null && baseUrlFor === undefined,
    options: options.map(({ name, required }) => ({ name, required })),
  }))
  expect(shown).toEqual(known)
})
