import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findUndescribed } from '../harness/service/check-documented-answers.js'

// What the check of every service test finds, seen on a server whose document is incomplete.

const json = { 'application/json': {} }
const document = {
  paths: {
    '/v1/keys/{id}': {
      get: { responses: { 200: { content: json, headers: { 'X-Known': {} } }, 401: { content: json } } },
    },
    '/v1/calls': { post: { responses: { 200: { content: json }, '5XX': { content: { '*/*': {} } } } } },
  },
}

const app = Fastify()
let address = ''

beforeAll(async () => {
  app.decorate('swagger', () => JSON.parse(JSON.stringify(document)))
  app.get<{ Params: { id: string }; Querystring: { unknown?: string } }>('/v1/keys/:id', (request, reply) => {
    reply.header('x-known', 'yes')
    if (request.query.unknown) reply.header('x-unknown', 'yes')
    if (request.params.id === 'none') return reply.code(404).send({})
    if (request.params.id === 'anonymous') return reply.code(401).send({})
    if (request.params.id === 'text') return reply.type('text/plain').send('text')
    return reply.send({})
  })
  app.post<{ Querystring: { own?: string } }>('/v1/calls', async (request, reply) => {
    if (request.query.own) throw Object.assign(new Error('ours'), { statusCode: 503 })
    return reply.code(529).header('openai-version', '1').type('text/plain').send('theirs')
  })
  app.get('/v1/hidden', async () => ({}))
  address = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const ask = async (path: string, method = 'GET') =>
  void (await (await fetch(address + path, { method })).text())

test('what the document describes, and paths that do not exist, are no finding', async () => {
  await ask('/v1/keys/1')
  await ask('/v1/keys/1', 'HEAD')
  await ask('/v1/calls', 'POST')
  await ask('/nowhere')
  expect(findUndescribed(address)).toEqual([])
})

test('a status, a header, a media type or a route that it lacks is one, and so is a 401 without a challenge', async () => {
  await ask('/v1/keys/none')
  await ask('/v1/keys/1?unknown=1')
  await ask('/v1/keys/text')
  await ask('/v1/keys/anonymous')
  await ask('/v1/hidden')
  await ask('/v1/calls?own=1', 'POST')
  await expect
    .poll(() => findUndescribed(address))
    .toEqual([
      'GET /v1/hidden is not described',
      'GET /v1/keys/:id: 200 has a header x-unknown that is not described',
      'GET /v1/keys/:id: 200 is text/plain, described as application/json',
      'GET /v1/keys/:id: 401 has a header x-known that is not described',
      'GET /v1/keys/:id: 401 without WWW-Authenticate',
      'GET /v1/keys/:id: 404 is not described',
      'POST /v1/calls: 503 is not described as an error of ours',
    ])
})
