import { expect, test } from 'vitest'
import { type RequestToSign, signV4 } from './sign-v4.js'

// AWS's own test suite for Signature Version 4: one set of keys, one time, one host.
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const scope = { region: 'us-east-1', service: 'service' }
const at = Date.UTC(2015, 7, 30, 12, 36, 0)
const host = 'example.amazonaws.com'

const request = (fields: Partial<RequestToSign> = {}): RequestToSign => ({
  method: 'GET',
  path: '/',
  query: '',
  headers: { host },
  body: Buffer.alloc(0),
  ...fields,
})

test.each<[string, Partial<RequestToSign>, string, string]>([
  ['get-vanilla', {}, 'host;x-amz-date', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'post-vanilla',
    { method: 'POST' },
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'get-vanilla-query-order-key-case',
    { query: 'Param2=value2&Param1=value1' },
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-utf8-query',
    { query: 'ሴ=bar' },
    'host;x-amz-date',
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  [
    'get-utf8',
    { path: '/ሴ' },
    'host;x-amz-date',
    '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85',
  ],
  [
    'post-header-key-sort',
    { method: 'POST', headers: { host, 'my-header1': 'value1' } },
    'host;my-header1;x-amz-date',
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  [
    'post-x-www-form-urlencoded',
    {
      method: 'POST',
      headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('Param1=value1'),
    },
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
])('%s of the published suite has the published signature', (_, fields, names, signature) => {
  expect(signV4(request(fields), keys, scope, at)).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  })
})

test('the token of temporary keys is sent and signed', () => {
  const signed = signV4(request(), { ...keys, sessionToken: 'a/session+token==' }, scope, at)
  expect(signed['x-amz-security-token']).toBe('a/session+token==')
  expect(signed.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,')
})

test('a path that is encoded on the wire is encoded again for the signature', () => {
  const once = signV4(request({ path: '/model/a%3A0/invoke' }), keys, scope, at)
  const plain = signV4(request({ path: '/model/a:0/invoke' }), keys, scope, at)
  expect(once.authorization).not.toBe(plain.authorization)
})
