import { expect, test } from 'vitest'
import { findAssignments } from './assignments.js'

const names = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'token', 'client_secret', 'client-secret'],
  ...['api', 'access', 'secret', 'private', 'encryption', 'signing', 'auth', 'master', 'account'].flatMap(
    (of) => [`${of}key`, `${of}_key`, `${of}-key`],
  ),
]

test.each(names)('%s is recognized as the name of a secret, however it is written', (name) => {
  const secret = 'Tr0ub4dor&3x9Q'
  for (const written of [name, name.toUpperCase(), `"${name}" `, `env[${name}]   `]) {
    for (const sign of ['=', ': ']) {
      const text = `${written}${sign}"${secret}"`
      const start = text.indexOf(secret)
      expect(findAssignments(text)).toMatchObject([{ start, end: start + secret.length }])
    }
  }
})
