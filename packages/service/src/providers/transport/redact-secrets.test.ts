import { expect, test } from 'vitest'
import { SecretRedactor, secretsIn, withoutSecrets } from './redact-secrets.js'

const secrets = secretsIn({
  authorization: 'Bearer hunter2-of-the-house',
  'x-team': 'a"quoted"one',
  accept: '*/*',
})

function hide(text: string, pieceLength: number): string {
  const hider = new SecretRedactor(secrets, 'text/plain')
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceLength)
    pieces.push(hider.push(bytes.subarray(at, at + pieceLength)))
  return Buffer.concat([...pieces, hider.end()]).toString()
}

test('what was sent as proof is not in the answer, however it is cut into pieces', () => {
  const said = `é: ${JSON.stringify({ sent: 'Bearer hunter2-of-the-house', team: 'a"quoted"one', other: 'hunter2-of-the-hous' })}`
  const expected = `é: ${JSON.stringify({ sent: 'Bearer [hidden]', team: '[hidden]', other: 'hunter2-of-the-hous' })}`
  for (let length = 1; length <= said.length + 1; length++) expect(hide(said, length)).toBe(expected)
})

test('nor in its headers; what is too short to be a secret stays', () => {
  const answered = { 'x-request-id': 'for hunter2-of-the-house', 'content-type': '*/*' }
  expect(withoutSecrets(answered, secrets)).toEqual({ 'content-type': '*/*' })
})
