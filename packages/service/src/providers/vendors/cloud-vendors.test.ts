import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { encodeMessage } from '../../../../../test/harness/providers/aws-event-stream.js'
import {
  type Arrived,
  credential,
  providerFor,
  requestFor,
  sendTo,
  serveVendor,
} from '../../../../../test/harness/providers/vendor-server.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

type Answer = Parameters<typeof serveVendor>[0]
async function serve(answer?: Answer) {
  const server = await serveVendor(answer)
  opened.push(server)
  return server
}
function provide(...args: Parameters<typeof providerFor>) {
  const provider = providerFor(...args)
  opened.push(provider.transport)
  return provider
}

describe('Amazon Bedrock', () => {
  const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'shh/very+secret', sessionToken: 'temporary==' }
  const model = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'

  /** As the service does it: from what arrived alone. */
  function hasRightSignature({ method, path, headers, body }: Arrived): boolean {
    const parts =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        headers.authorization ?? '',
      )
    if (parts === null) return false
    const [, accessKeyId, scope = '', names = '', signature] = parts
    const [day = '', region = '', service = '', end = ''] = scope.split('/')
    if (accessKeyId !== keys.accessKeyId || end !== 'aws4_request' || service !== 'bedrock') return false
    const [pathname = '', query = ''] = path.split('?')
    const encodedAgain = pathname.replaceAll('%', '%25')
    const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const request = `${method}\n${encodedAgain}\n${query}\n${signed.join('')}\n${names}\n${hash(body)}`
    const toSign = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${hash(request)}`
    let key: Buffer = Buffer.from(`AWS4${keys.secretAccessKey}`)
    for (const step of [day, region, service, end]) key = createHmac('sha256', key).update(step).digest()
    return createHmac('sha256', key).update(toSign).digest('hex') === signature
  }

  const bedrockAt = (url: string, value = JSON.stringify(keys)) =>
    provide({
      type: 'bedrock',
      baseUrl: url,
      options: { region: 'eu-central-1' },
      credentials: [credential(value)],
    })
  const chunk = (event: object) =>
    encodeMessage(
      { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
      Buffer.from(JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64') })),
    )

  test('gets a plain message that is signed, with model and version where it wants them', async () => {
    const answer = '{"type":"message","content":[{"type":"text","text":"hi"}]}'
    const { url, arrived } = await serve((_, response) => {
      response.setHeader('content-type', 'application/json').end(answer)
    })
    const sent = await sendTo(
      bedrockAt(url),
      requestFor('messages', {
        model,
        headers: { 'anthropic-beta': 'a-1, b-2', 'anthropic-version': '2023-06-01' },
        body: Buffer.from(
          '{"model":"claude","max_tokens":5, "stream":false,"messages":[],"temperature":1.0}',
        ),
      }),
    )
    expect(sent).toMatchObject({ status: 200, body: answer })
    const [request] = arrived
    if (request === undefined) throw new Error('nothing arrived')
    expect(request.path).toBe('/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke')
    expect(hasRightSignature(request)).toBe(true)
    expect(hasRightSignature({ ...request, body: `${request.body} ` })).toBe(false)
    expect(request.headers['x-amz-security-token']).toBe('temporary==')
    expect(request.headers['anthropic-beta']).toBeUndefined()
    expect(request.headers['anthropic-version']).toBeUndefined()
    expect(request.body).toBe(
      '{"max_tokens":5,"messages":[],"temperature":1.0,"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["a-1","b-2"]}',
    )
  })

  test('streams events of the messages dialect, however its frames are cut', async () => {
    const events = [
      { type: 'message_start', message: { id: 'm' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'grüß' } },
      { type: 'message_stop' },
    ]
    const stream = Buffer.concat(events.map(chunk))
    const { url, arrived } = await serve((_, response) => {
      response.setHeader('content-type', 'application/vnd.amazon.eventstream')
      const write = (from: number): void => {
        if (from >= stream.length) return void response.end()
        response.write(stream.subarray(from, from + 7), () => write(from + 7))
      }
      write(0)
    })
    const sent = await sendTo(bedrockAt(url), requestFor('messages', { model, stream: true }))
    expect(sent.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(sent.body).toBe(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    )
    expect(arrived[0]?.path).toMatch(/\/invoke-with-response-stream$/)
    expect(arrived[0] && hasRightSignature(arrived[0])).toBe(true)
  })

  test.each([
    ['frames that are no frames', Buffer.from('this is not an event stream')],
    ['a frame that ends in the middle', chunk({ type: 'message_stop' }).subarray(0, -3)],
  ])('fails when it sends %s', async (_, bytes) => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-type', 'application/vnd.amazon.eventstream').end(bytes)
    })
    const { failure } = await sendTo(bedrockAt(url), requestFor('messages', { model, stream: true }))
    expect(failure?.kind).toBe('broken')
    expect(failure?.error.message).toBe('Provider p sent a stream that cannot be read')
  })

  test('is relayed as it comes where it answers an error, or in JSON', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(400, {
        'content-type': 'application/json',
        'x-amzn-errortype': 'ValidationException',
      })
      response.end('{"message":"no such model"}')
    })
    const sent = await sendTo(bedrockAt(url), requestFor('messages', { model, stream: true }))
    expect(sent).toMatchObject({
      status: 400,
      body: '{"message":"no such model"}',
      headers: { 'x-amzn-errortype': 'ValidationException' },
    })
  })

  test('gets chat as it is, signed or with an API key', async () => {
    const { url, arrived } = await serve()
    const request = requestFor('chat', { json: { model: 'openai.gpt-oss-20b-1:0', stream: false } })
    await sendTo(bedrockAt(url), request)
    await sendTo(bedrockAt(url, 'ABSK-key'), request)
    expect(arrived.map(({ path, body }) => [path, body])).toEqual(
      Array.from({ length: 2 }, () => ['/openai/v1/chat/completions', request.body.toString()]),
    )
    expect(arrived[0] && hasRightSignature(arrived[0])).toBe(true)
    expect(arrived[1]?.headers.authorization).toBe('Bearer ABSK-key')
  })
})

describe('Vertex AI', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const options = { project: 'my-project', region: 'global' }
  const place = '/v1/projects/my-project/locations/global'

  const accountFor = (url: string) =>
    JSON.stringify({
      type: 'service_account',
      client_email: 'robot@my-project.iam.gserviceaccount.com',
      private_key_id: 'key-7',
      private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
      token_uri: `${url}/token`,
    })

  /** As the token endpoint does it. */
  function readAssertion(assertion: string, atMs: number): { claims: Record<string, unknown>; kid: unknown } {
    const [header = '', claims = '', signature = ''] = assertion.split('.')
    const isGood = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      publicKey,
      Buffer.from(signature, 'base64url'),
    )
    if (!isGood) throw new Error('the assertion is not signed with the key of the account')
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    const read = decode(claims)
    if (!(read.iat * 1_000 <= atMs && atMs < read.exp * 1_000 && read.exp - read.iat <= 3_600))
      throw new Error('the assertion is not of now')
    return { claims: read, kid: decode(header).kid }
  }

  test('is called with a token that a service account got, fetched once for many calls', async () => {
    let tokens = 0
    const { url, arrived } = await serve((request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.path !== '/token') return void response.end('{}')
      tokens++
      const form = new URLSearchParams(request.body)
      const { claims, kid } = readAssertion(form.get('assertion') ?? '', Date.now())
      const isRight =
        kid === 'key-7' &&
        claims.iss === 'robot@my-project.iam.gserviceaccount.com' &&
        claims.aud === `http://${request.headers.host}/token` &&
        claims.scope === 'https://www.googleapis.com/auth/cloud-platform' &&
        form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
      response.writeHead(isRight ? 200 : 400).end(`{"access_token":"ya29.${tokens}","expires_in":3599}`)
    })
    const provider = provide({
      type: 'vertex',
      baseUrl: url,
      options,
      credentials: [credential(accountFor(url))],
    })
    const body = Buffer.from('{"model":"claude-x","max_tokens":5,"stream":true,"messages":[]}')
    const calls = Array.from({ length: 10 }, (_, i) =>
      sendTo(provider, requestFor('messages', { model: 'claude-x@20250101', stream: i % 2 === 0, body })),
    )
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
    expect(tokens).toBe(1)
    const predicted = arrived.filter(({ path }) => path !== '/token')
    const model = `${place}/publishers/anthropic/models/claude-x%4020250101`
    expect(new Set(predicted.map(({ path }) => path))).toEqual(
      new Set([`${model}:rawPredict`, `${model}:streamRawPredict`]),
    )
    for (const { headers, body } of predicted) {
      expect(headers.authorization).toBe('Bearer ya29.1')
      expect(headers['anthropic-version']).toBeUndefined()
      expect(body).toBe(
        '{"max_tokens":5,"stream":true,"messages":[],"anthropic_version":"vertex-2023-10-16"}',
      )
    }
  })

  test('gets Gemini in chat by the name of its publisher', async () => {
    const { url, arrived } = await serve((request, response) =>
      response.end(request.path === '/token' ? '{"access_token":"t","expires_in":3599}' : '{}'),
    )
    const provider = provide({
      type: 'vertex',
      baseUrl: url,
      options,
      credentials: [credential(accountFor(url))],
    })
    for (const model of ['gemini-2.5-flash', 'meta/llama-4'])
      await sendTo(provider, requestFor('chat', { model, json: { model } }))
    const predicted = arrived.filter(({ path }) => path === `${place}/endpoints/openapi/chat/completions`)
    expect(predicted.map(({ body }) => body)).toEqual([
      '{"model":"google/gemini-2.5-flash"}',
      '{"model":"meta/llama-4"}',
    ])
  })

  test('is called with a token for a workload identity: file, exchange, impersonation', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallystick-identity-'))
    opened.push({ close: () => rmSync(folder, { recursive: true }) })
    const file = join(folder, 'token.json')
    writeFileSync(file, '{"jwt":"subject-token"}')
    const { url, arrived } = await serve((request, response) => {
      response.setHeader('content-type', 'application/json')
      const form = new URLSearchParams(request.body)
      if (request.path === '/sts') {
        const isRight =
          form.get('subject_token') === 'subject-token' &&
          form.get('audience') === '//iam.googleapis.com/pool' &&
          form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:token-exchange'
        response.writeHead(isRight ? 200 : 400).end('{"access_token":"federated","expires_in":3600}')
      } else if (request.path === '/impersonate') {
        const isRight = request.headers.authorization === 'Bearer federated'
        const expireTime = new Date(Date.now() + 3_600_000).toISOString()
        response.writeHead(isRight ? 200 : 403).end(JSON.stringify({ accessToken: 'as-robot', expireTime }))
      } else response.end('{}')
    })
    const account = JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/pool',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${url}/sts`,
      service_account_impersonation_url: `${url}/impersonate`,
      credential_source: { file, format: { type: 'json', subject_token_field_name: 'jwt' } },
    })
    const settings = { type: 'vertex', baseUrl: url, options, credentials: [credential(account)] }
    await sendTo(provide(settings, { machine: {} }), requestFor('messages'))
    expect(arrived.at(-1)?.headers.authorization).toBe('Bearer as-robot')

    const count = arrived.length
    const { failure } = await sendTo(provide(settings), requestFor('messages'))
    expect(failure?.kind).toBe('refused')
    expect(arrived.length).toBe(count)
  })

  test('rests a credential that the token endpoint refuses, tells of it once, and calls with another', async () => {
    const { url, arrived } = await serve((request, response) => {
      const answers: Record<string, [number, string]> = {
        '/bad/token': [400, '{"error":"invalid_grant","secret":"words"}'],
        '/good/token': [200, '{"access_token":"good","expires_in":3600}'],
      }
      const [status, body] = answers[request.path] ?? [200, '{}']
      response.writeHead(status).end(body)
    })
    const faults: unknown[] = []
    const provider = provide(
      {
        type: 'vertex',
        baseUrl: url,
        options,
        credentials: ['bad', 'good'].map((id) => credential(accountFor(`${url}/${id}`), { id })),
      },
      { onCredentialFault: (fault) => faults.push(fault) },
    )
    const first = await sendTo(provider, requestFor('chat'))
    expect(first.failure).toMatchObject({ kind: 'credential', error: { status: 502 } })
    expect(first.failure?.error.message).not.toContain('words')
    for (let i = 0; i < 3; i++)
      expect(await sendTo(provider, requestFor('chat'))).toMatchObject({ status: 200 })
    expect(faults).toMatchObject([{ credentialId: 'bad', status: 401 }])
    expect(arrived.filter(({ path }) => path === '/bad/token')).toHaveLength(1)
  })
})

describe('Azure with an application of Entra ID', () => {
  test('is called with a token of client credentials', async () => {
    const { url, arrived } = await serve((request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.path !== '/my%20tenant/oauth2/v2.0/token') return void response.end('{}')
      const form = Object.fromEntries(new URLSearchParams(request.body))
      const isRight =
        form.grant_type === 'client_credentials' &&
        form.client_id === 'app' &&
        form.client_secret === 's&cret' &&
        form.scope === 'https://cognitiveservices.azure.com/.default'
      response.writeHead(isRight ? 200 : 401).end('{"access_token":"entra","expires_in":3599}')
    })
    const app = JSON.stringify({ tenantId: 'my tenant', clientId: 'app', clientSecret: 's&cret' })
    const provider = provide({
      type: 'azure-openai',
      baseUrl: url,
      options: { authority: `${url}/` },
      credentials: [credential(app)],
    })
    for (let i = 0; i < 3; i++) await sendTo(provider, requestFor('responses'))
    expect(arrived).toHaveLength(4)
    expect(arrived.at(-1)?.headers).toMatchObject({ authorization: 'Bearer entra' })
    expect(arrived.at(-1)?.headers['api-key']).toBeUndefined()
  })
})
