import { createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createSigner,
  type Lies,
  type LyingIssuer,
  serialize,
  signToken,
  signTokenWithSecret,
  startLyingIssuer,
} from '../../harness/access/malicious-issuer.js'
import { openBrowser } from '../../harness/browser/browser.js'
import { asPage } from '../../harness/browser/browser-session.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

type Json = Record<string, unknown>

let issuer: LyingIssuer
/** With `allowedDomains`. */
let closed: TestService
/** For people of any domain. */
let open: TestService
let made = 0

const stranger = createSigner('RS256')
const elliptic = createSigner('ES256')
const next = createSigner('RS256')
const now = () => Math.floor(Date.now() / 1_000)
const halfHash = (value: string) =>
  createHash('sha256').update(value).digest().subarray(0, 16).toString('base64url')

async function startWith(rules: object): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-oidc-'))
  const { issuer: address, clientId } = issuer
  await writeFile(
    join(dataDir, 'tallystick.yaml'),
    JSON.stringify({ oidc: { issuer: address, clientId, ...rules } }),
  )
  return await startTestService({
    dataDir,
    env: { TALLYSTICK_OIDC_CLIENT_SECRET: issuer.clientSecret, TALLYSTICK_TRUSTED_PROXIES: '127.0.0.1' },
  })
}

beforeAll(async () => {
  issuer = await startLyingIssuer()
  const roles = { managers: ['platform', 'Boss@Example.com', 'kim@example.com'], auditors: ['audit'] }
  closed = await startWith({ ...roles, allowedDomains: ['example.com'] })
  open = await startWith(roles)
})
afterAll(async () => {
  await closed.stop()
  await open.stop()
  await issuer.stop()
})

/** What became of a sign-in: the problem that the person is told, or what the session may do. */
async function signIn(account: Json, lies: Partial<Lies>, at: TestService = closed) {
  const sub = `subject-${++made}`
  issuer.behave({ sub, email: `${sub}@example.com`, email_verified: true, groups: [], ...account }, lies)
  const browser = openBrowser()
  const isPage = (url: URL) => url.origin === at.address && !url.pathname.startsWith('/v1/')
  const { url } = await browser.open(`${at.address}/v1/session/oidc`, isPage)
  const cookie = browser.cookies.find(({ name }) => name === 'tallystick_session')
  const problem = url.searchParams.get('problem')
  if (cookie === undefined) return { problem }
  const { body } = await asPage(at.address, `${cookie.name}=${cookie.value}`).get('/v1/session')
  const { role, userId, email, name } = body
  return { role, userId: userId.replace(sub, 'SUB'), email: email?.replace(sub, 'SUB') ?? null, name }
}

const member = { role: 'member', userId: 'SUB@example.com', email: 'SUB@example.com', name: null }
const manager = { ...member, role: 'manager' }
const withoutEmail = { ...member, userId: 'oidc:SUB', email: null }
const refused = (problem: string) => ({ problem })
const invalid = refused('answer_not_valid')
const unreachable = refused('issuer_unreachable')

/** Claims that are sent instead, or not at all where they are undefined. */
const claims = (changed: Json): Partial<Lies> => ({ claims: (honest) => ({ ...honest, ...changed }) })
const header = (changed: Json): Partial<Lies> => ({ header: (honest) => ({ ...honest, ...changed }) })

type Case = [name: string, account: Json, lies: Partial<Lies> | (() => Partial<Lies>), expected: object]

const run = (cases: Case[], at: () => TestService = () => closed) =>
  test.each(cases)('%s', async (_, account, lies, expected) => {
    const told = typeof lies === 'function' ? lies() : lies
    expect(await signIn(account, told, at())).toEqual(expected)
  })

describe('claims about the token', () => {
  run([
    ['an honest token', {}, {}, member],
    ['another iss', {}, claims({ iss: 'https://issuer.example' }), invalid],
    ['an iss with a slash more', {}, () => claims({ iss: `${issuer.issuer}/` }), invalid],
    ['no iss', {}, claims({ iss: undefined }), invalid],
    ['another aud', {}, claims({ aud: 'another' }), invalid],
    ['an aud that begins as ours does', {}, claims({ aud: 'tallystick2' }), invalid],
    ['an array with our aud', {}, claims({ aud: ['tallystick'] }), member],
    ['an empty array as aud', {}, claims({ aud: [] }), invalid],
    ['two aud without azp', {}, claims({ aud: ['tallystick', 'another'] }), invalid],
    ['two aud, with azp another', {}, claims({ aud: ['tallystick', 'another'], azp: 'another' }), invalid],
    ['two aud, with azp us', {}, claims({ aud: ['tallystick', 'another'], azp: 'tallystick' }), member],
    ['our aud, with azp another', {}, claims({ azp: 'another' }), invalid],
    ['no aud', {}, claims({ aud: undefined }), invalid],
    ['expired', {}, () => claims({ exp: now() - 61 }), invalid],
    ['expired within the tolerance of clocks', {}, () => claims({ exp: now() - 30 }), member],
    ['no exp', {}, claims({ exp: undefined }), invalid],
    ['exp as a string', {}, () => claims({ exp: String(now() + 300) }), invalid],
    ['issued in an hour', {}, () => claims({ iat: now() + 3_600, exp: now() + 7_200 }), invalid],
    ['issued within the tolerance of clocks', {}, () => claims({ iat: now() + 30 }), member],
    ['no iat', {}, claims({ iat: undefined }), invalid],
    ['not valid before an hour', {}, () => claims({ nbf: now() + 3_600 }), invalid],
    ['no nonce', {}, claims({ nonce: undefined }), invalid],
    ['another nonce', {}, claims({ nonce: 'another' }), refused('not_valid')],
    ['no sub', {}, claims({ sub: undefined }), invalid],
    ['an empty sub', {}, claims({ sub: '' }), invalid],
    ['a sub that is a number', {}, claims({ sub: 7 }), invalid],
    ['a sub with a NUL', {}, claims({ sub: 'a\0b' }), invalid],
    ['a sub of 256 characters', {}, claims({ sub: 'a'.repeat(256) }), invalid],
    ['an at_hash of another token', {}, claims({ at_hash: halfHash('another') }), invalid],
    ['the at_hash', {}, claims({ at_hash: halfHash('the access token') }), member],
    ['a c_hash of another code', {}, claims({ c_hash: halfHash('another') }), invalid],
  ])
})

describe('the signature', () => {
  run([
    ['by a key that the issuer does not have', {}, { signer: stranger }, invalid],
    [
      'by that key, under the kid of a true one',
      {},
      () => ({ token: forgeWith(stranger.privateKey) }),
      invalid,
    ],
    ['changed claims under an old signature', {}, () => ({ token: swapClaims }), invalid],
    ['none', {}, { token: (head, body) => serialize(head, body, () => Buffer.alloc(0)) }, invalid],
    ['alg none', {}, { ...header({ alg: 'none' }), token: unsigned }, invalid],
    ['alg nOnE', {}, { ...header({ alg: 'nOnE' }), token: unsigned }, invalid],
    ['HS256 with the secret of the client', {}, () => hmac(issuer.clientSecret), invalid],
    ['HS256 with the public key as PEM', {}, () => hmac(publicPem()), invalid],
    ['HS256 with the public key as DER', {}, () => hmac(publicDer()), invalid],
    ['an alg that nobody knows', {}, header({ alg: 'XS256' }), invalid],
    ['an alg that is not the key’s', {}, header({ alg: 'ES256' }), invalid],
    ['no alg', {}, header({ alg: undefined }), invalid],
    ['an extension that must be understood', {}, header({ crit: ['exp'] }), invalid],
    ['an unknown kid', {}, header({ kid: 'unknown' }), invalid],
    ['no kid, with one key', {}, header({ kid: undefined }), member],
    ['no kid, with two keys', {}, () => ({ ...header({ kid: undefined }), keys: twoKeys() }), invalid],
    ['a kid of a key for encryption', {}, () => ({ keys: [{ ...ownKey(), use: 'enc' }] }), invalid],
    ['a kid of a key for another alg', {}, () => ({ keys: [{ ...ownKey(), alg: 'PS256' }] }), invalid],
    [
      'a kid of a key that must not verify',
      {},
      () => ({ keys: [{ ...ownKey(), key_ops: ['encrypt'] }] }),
      invalid,
    ],
    ['a key in the header (jwk)', {}, { ...header({ jwk: stranger.publicJwk }), signer: stranger }, invalid],
    ['an address of keys in the header (jku)', {}, () => elsewhere('jku'), invalid],
    ['an address of a certificate (x5u)', {}, () => elsewhere('x5u'), invalid],
    ['by another of the issuer’s keys', {}, { signer: elliptic, keys: [elliptic.publicJwk] }, member],
    ['by a key that the issuer withdrew', {}, { keys: [next.publicJwk] }, invalid],
    ['by a new key, under a new kid', {}, { signer: next, keys: [next.publicJwk] }, member],
    ['by a new key, under the old kid', {}, () => rotateInPlace(), member],
    ['not a token', {}, { token: () => 'not a token' }, invalid],
    ['no ID token at all', {}, { tokenAnswer: ({ id_token: _, ...rest }) => rest }, invalid],
  ])

  test('keys are asked for once per sign-in, whatever the kid', async () => {
    for (const kid of ['unknown', 'unknown too']) {
      expect(await signIn({}, header({ kid }))).toEqual(invalid)
      expect(issuer.requests.filter(({ path }) => path === '/jwks')).toHaveLength(1)
    }
    await signIn({}, elsewhere('jku'))
    expect(issuer.requests.map(({ path }) => path)).not.toContain('/elsewhere')
  })
})

describe('keys that cannot be had', () => {
  const keysAre = (answer: Lies['answer']): Partial<Lies> => ({
    answer: (path, response) => path === '/jwks' && answer(path, response),
  })
  run([
    ['the connection breaks', {}, keysAre((_, response) => !!response.destroy()), unreachable],
    ['an error', {}, keysAre((_, response) => !!response.writeHead(500).end()), unreachable],
    ['not JSON', {}, keysAre((_, response) => !!response.end('<html>')), unreachable],
    ['not a set', {}, keysAre((_, response) => !!response.end('[]')), invalid],
    [
      'a redirect',
      {},
      keysAre((_, response) => !!response.writeHead(302, { location: '/jwks2' }).end()),
      unreachable,
    ],
    ['without end', {}, keysAre(pour), unreachable],
    ['a key that is none', {}, () => ({ keys: [{ ...ownKey(), n: '!' }] }), invalid],
  ])
})

describe('emails', () => {
  const email = (value: unknown) => ({ email: value })
  const missing = refused('email_missing')
  const notVerified = refused('email_not_verified')
  const otherDomain = refused('domain_not_allowed')
  run([
    ['verified: false', { email_verified: false }, {}, notVerified],
    ['verified: "false"', { email_verified: 'false' }, {}, notVerified],
    ['verified: "TRUE"', { email_verified: 'TRUE' }, {}, notVerified],
    ['verified: 1', { email_verified: 1 }, {}, notVerified],
    ['verified: "true"', { email_verified: 'true' }, {}, member],
    ['verified: not said', { email_verified: undefined }, {}, notVerified],
    ['an array', email(['boss@example.com']), {}, missing],
    ['an object', email({ toString: 'boss@example.com' }), {}, missing],
    ['two addresses', email('boss@example.com,x@example.com'), {}, missing],
    ['two at signs', email('x@evil.example@example.com'), {}, missing],
    ['a line break', email('x\n@example.com'), {}, missing],
    ['a NUL', email('x\0@example.com'), {}, missing],
    ['a mark that turns the direction', email('x\u202e@example.com'), {}, missing],
    ['an invisible mark', email('x\u200b@example.com'), {}, missing],
    ['another domain', email('x@evil.example'), {}, otherDomain],
    ['a domain that ends in ours', email('x@evilexample.com'), {}, otherDomain],
    ['a domain that begins as ours', email('x@example.com.evil.example'), {}, otherDomain],
    ['a domain below ours', email('x@sub.example.com'), {}, otherDomain],
    ['our domain with a dot at its end', email('x@example.com.'), {}, otherDomain],
    ['a lookalike of our domain', email('x@ex\u0430mple.com'), {}, otherDomain],
    ['a wide form of our domain', email('x@\uff45xample.com'), {}, otherDomain],
    [
      'hd says our domain, the email does not',
      { ...email('x@evil.example'), hd: 'example.com' },
      {},
      otherDomain,
    ],
    [
      'other letter case',
      email('BOSS@EXAMPLE.COM'),
      {},
      { role: 'manager', userId: 'boss@example.com', email: 'BOSS@EXAMPLE.COM', name: null },
    ],
    [
      'a lookalike of a manager',
      email('b\u043ess@example.com'),
      {},
      { role: 'member', userId: 'b\u043ess@example.com', email: 'b\u043ess@example.com', name: null },
    ],
    [
      'a Kelvin sign, which in lower case is a k',
      email('\u212aim@example.com'),
      {},
      { role: 'member', userId: '\u212aim@example.com', email: '\u212aim@example.com', name: null },
    ],
  ])
})

describe('where claims come from', () => {
  const userinfo = (told: Json): Partial<Lies> => ({ userinfo: ({ sub }) => ({ sub, ...told }) })
  const bare = claims({ email: undefined, email_verified: undefined, groups: undefined })
  const boss = { email: 'boss2@example.com', email_verified: true }
  run([
    [
      'an email of the token, verified by userinfo',
      { email_verified: undefined, groups: undefined },
      userinfo({ email_verified: true }),
      refused('email_not_verified'),
    ],
    [
      'an email of the token, another verified by userinfo',
      { email_verified: false, groups: undefined },
      userinfo(boss),
      refused('email_not_verified'),
    ],
    [
      'verified by the token, the email of userinfo',
      { email: undefined, groups: undefined },
      userinfo(boss),
      refused('email_missing'),
    ],
    [
      'an unusable email of the token, a good one of userinfo',
      { email: [], groups: undefined },
      userinfo(boss),
      refused('email_missing'),
    ],
    [
      'all of it of userinfo',
      {},
      { ...bare, userinfo: (honest) => ({ ...honest, groups: ['platform'] }) },
      manager,
    ],
    [
      'groups of userinfo where the token has none',
      { groups: undefined },
      userinfo({ groups: ['platform'] }),
      manager,
    ],
    [
      'groups of both: the token’s',
      { email: undefined, groups: ['audit'] },
      userinfo({ groups: ['platform'] }),
      refused('email_missing'),
    ],
    [
      'groups of both, emails of userinfo',
      { groups: ['audit'] },
      {
        ...claims({ email: undefined, email_verified: undefined }),
        userinfo: (honest) => ({ ...honest, groups: ['platform'] }),
      },
      { ...member, role: 'auditor' },
    ],
    [
      'userinfo of somebody else',
      {},
      { ...bare, userinfo: (honest) => ({ ...honest, sub: 'another' }) },
      invalid,
    ],
    ['userinfo without a sub', {}, { ...bare, userinfo: ({ sub: _, ...honest }) => honest }, invalid],
    [
      'userinfo that is not JSON',
      {},
      { ...bare, answer: (path, response) => path === '/userinfo' && !!response.end('x') },
      unreachable,
    ],
  ])

  test('what the token says alone is not asked for again', async () => {
    expect(await signIn({}, {})).toEqual(member)
    expect(issuer.requests.map(({ path }) => path)).not.toContain('/userinfo')
  })
})

describe('groups and names', () => {
  run([
    ['a group as a string', { groups: 'platform' }, {}, manager],
    ['a string with several', { groups: 'staff platform' }, {}, member],
    ['a string with commas', { groups: 'staff,platform' }, {}, member],
    ['an object', { groups: { platform: true } }, {}, member],
    ['an array within an array', { groups: [['platform']] }, {}, member],
    ['another letter case', { groups: ['Platform'] }, {}, member],
    ['a blank more', { groups: ['platform '] }, {}, member],
    ['an email of a manager as a group', { groups: ['Boss@Example.com', 'boss@example.com'] }, {}, member],
    ['groups elsewhere (_claim_names)', { groups: undefined, _claim_names: { groups: 'src' } }, {}, member],
    ['both a manager’s and an auditor’s', { groups: ['audit', 'platform'] }, {}, manager],
    ['a role claim', { role: 'manager', roles: ['manager', 'platform'] }, {}, member],
    ['a name', { name: ' Ada ' }, {}, { ...member, name: 'Ada' }],
    ['a name that turns the direction', { name: 'Ada \u202egnivad' }, {}, member],
    ['a name with a NUL', { name: 'A\0da' }, {}, member],
    ['a name that is an object', { name: { first: 'Ada' } }, {}, member],
  ])
})

describe('for people of any domain', () => {
  run(
    [
      ['an unverified email is nobody’s', { email_verified: false }, {}, withoutEmail],
      [
        'an unverified email of a manager',
        { email: 'boss@example.com', email_verified: false },
        {},
        refused('email_not_verified'),
      ],
      ['no email', { email: undefined, email_verified: undefined }, {}, withoutEmail],
      [
        'no email, and a manager’s group',
        { email: undefined, groups: ['platform'] },
        {},
        { ...withoutEmail, role: 'manager' },
      ],
      [
        'a manager’s email of the token, verified by userinfo',
        { email: 'boss@example.com', email_verified: undefined, groups: undefined },
        { userinfo: ({ sub }) => ({ sub, email: 'boss@example.com', email_verified: true }) },
        refused('email_not_verified'),
      ],
    ],
    () => open,
  )
})

describe('the way back', () => {
  const callback = (change: (query: URLSearchParams) => void): Partial<Lies> => ({ callback: change })
  const notValid = refused('not_valid')
  run([
    ['no state', {}, callback((query) => query.delete('state')), notValid],
    ['another state', {}, callback((query) => query.set('state', 'another')), notValid],
    ['two states', {}, callback((query) => query.append('state', 'another')), notValid],
    ['no code', {}, callback((query) => query.delete('code')), invalid],
    ['two codes', {}, callback((query) => query.append('code', 'another')), invalid],
    ['a code that was not given', {}, callback((query) => query.set('code', 'another')), notValid],
    ['another iss', {}, callback((query) => query.set('iss', 'https://issuer.example')), invalid],
    ['our iss', {}, callback((query) => query.set('iss', issuer.issuer)), member],
    ['an error', {}, callback((query) => query.set('error', 'access_denied')), refused('issuer_refused')],
    ['a token of another type', {}, { tokenAnswer: (honest) => ({ ...honest, token_type: 'mac' }) }, invalid],
    ['no access token', {}, { tokenAnswer: ({ access_token: _, ...rest }) => rest }, invalid],
  ])

  test('the verifier is sent, and belongs to the challenge', async () => {
    let challenge: string | null = null
    const browser = openBrowser()
    issuer.behave({ sub: 'pkce', email: 'pkce@example.com', email_verified: true, groups: [] })
    await browser.open(`${closed.address}/v1/session/oidc`, (url) => {
      if (url.pathname !== '/authorize') return url.pathname === '/'
      expect(url.searchParams.get('code_challenge_method')).toBe('S256')
      challenge = url.searchParams.get('code_challenge')
      return false
    })
    const posted = issuer.requests.find(({ path }) => path === '/token')?.body
    const verifier = new URLSearchParams(posted).get('code_verifier') ?? ''
    expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge)
  })

  test('an answer counts once, also where the issuer takes its code again', async () => {
    issuer.behave(
      { sub: 'again', email: 'again@example.com', email_verified: true, groups: [] },
      { acceptsUsedCodes: true },
    )
    const browser = openBrowser()
    const back = await browser.open(`${closed.address}/v1/session/oidc`, (url) =>
      url.pathname.endsWith('/callback'),
    )
    const isPage = (url: URL) => !url.pathname.startsWith('/v1/')
    expect((await browser.open(back.url.href, isPage)).url.pathname).toBe('/')
    const second = await browser.open(back.url.href, isPage)
    expect(second.url.searchParams.get('problem')).toBe('not_valid')
  })
})

const ownKey = () => issuer.signer.publicJwk
const publicPem = () => issuer.signer.publicKey.export({ format: 'pem', type: 'spki' }).toString()
const publicDer = () => issuer.signer.publicKey.export({ format: 'der', type: 'spki' })

function unsigned(head: Json, body: Json): string {
  return serialize(head, body, () => Buffer.alloc(0))
}

const forgeWith =
  (privateKey: typeof stranger.privateKey): Lies['token'] =>
  (head, body) =>
    signToken(head, body, { privateKey })

/** A token that the issuer signed, with somebody else's claims put into it. */
function swapClaims(head: Json, body: Json): string {
  const [protectedHeader, , signature] = signToken(head, body, issuer.signer).split('.')
  const changed = Buffer.from(JSON.stringify({ ...body, groups: ['platform'] })).toString('base64url')
  return `${protectedHeader}.${changed}.${signature}`
}

const hmac = (secret: string | Buffer): Partial<Lies> => ({
  ...header({ alg: 'HS256' }),
  token: (head, body) => signTokenWithSecret(head, body, secret),
})

const twoKeys = () => [ownKey(), next.publicJwk]

/** A header that says where the keys are, to whoever believes it. */
const elsewhere = (name: string): Partial<Lies> => ({
  ...header({ [name]: `${issuer.issuer}/elsewhere` }),
  signer: stranger,
  answer: (path, response) =>
    path === '/elsewhere' &&
    !!response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [stranger.publicJwk] })),
})

function rotateInPlace(): Partial<Lies> {
  const { kid } = issuer.signer
  const signer = { ...next, kid }
  return { signer, keys: [{ ...next.publicJwk, kid }] }
}

const pour: Lies['answer'] = (_, response) => {
  const piece = Buffer.alloc(65_536, ' ')
  const write = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', write)
  write()
  return true
}
