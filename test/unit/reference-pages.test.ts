import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loadConfig, readSecretStores } from '../../packages/service/src/config/index.js'
import {
  cloudVariables,
  vaultVariables,
} from '../../packages/service/src/config/settings/secrets/cloud-variables.js'
import { variables, wholeNumbers } from '../../packages/service/src/config/settings/variable-table.js'
import { vendorRules } from '../../packages/service/src/providers/index.js'
import { referencePages, renderPage } from '../harness/docs/reference-pages.js'
import { readPage, root } from '../harness/service/snippets.js'

test.each(Object.entries(referencePages))('%s is what `npm run docs:reference` writes', (page, parts) => {
  const rendered = renderPage(readPage(page), parts)
  if (process.env.WRITE_REFERENCE) writeFileSync(root + page, rendered)
  expect(readPage(page)).toBe(rendered)
})

test('the tables of variables have everything that the configuration reads, and nothing else', () => {
  const read = new Set<string>()
  const env = new Proxy<Record<string, string>>(
    // Further variables are read where these are set.
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_LOGS_EXPORTER: 'otlp',
      VAULT_ADDR: 'http://127.0.0.1:8200',
      VAULT_TOKEN: 'token',
    },
    {
      get(target, name) {
        read.add(String(name))
        return target[String(name)]
      },
    },
  )
  loadConfig({ env, cwd: '/nowhere', known: vendorRules })
  readSecretStores(env, '/nowhere')
  const ofVendors = [...vendorRules.types.values()].flatMap(({ environmentPrefix }) => [
    `${environmentPrefix}_API_KEY`,
    `${environmentPrefix}_BASE_URL`,
  ])
  const listed = [variables, wholeNumbers, cloudVariables, vaultVariables].flatMap((table) =>
    Object.keys(table),
  )
  // The client secret is read only where the file has the section `oidc`; a variable of one signal only has a line of its own for its URL.
  const elsewhere = /^OTEL_EXPORTER_OTLP_(?:TRACES|LOGS)_(?!ENDPOINT)/
  // The variables of proxies are read in lower case too.
  const isLowerCase = (name: string) => name !== name.toUpperCase() && read.has(name.toUpperCase())
  // Each variable may also be a file: `NAME_FILE`.
  const isFile = (name: string) =>
    name.endsWith('_FILE') && !listed.includes(name) && read.has(name.replace(/_FILE$/, ''))
  expect(
    [...read]
      .filter((name) => !ofVendors.includes(name) && !elsewhere.test(name) && !isFile(name))
      .filter((name) => !isLowerCase(name))
      .sort(),
  ).toEqual(listed.filter((name) => name !== 'TALLYSTICK_OIDC_CLIENT_SECRET').sort())
})
