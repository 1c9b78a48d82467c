import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import S3rver from '@20minutes/s3rver'

export const bucket = 'exports'
/** The only key pair that the server knows. */
export const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** An S3 server that checks signatures. */
export interface ObjectStore {
  url: string
  /** The names of the objects that were put, in order, also those that were put again. */
  puts: string[]
  /** What stands before the server: it answers itself, or lets the request pass. */
  answerWith(script: (request: IncomingMessage, response: ServerResponse, pass: () => void) => void): void
  list(): Promise<string[]>
  read(name: string): Promise<Buffer>
  /** The objects of all rows, in the order of the names. */
  rows(): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'tallystick-s3-'))
  const app = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] })
  await app.configureBuckets()
  const handle = app.callback()
  let script: Parameters<ObjectStore['answerWith']>[0] = (_request, _response, pass) => pass()
  const puts: string[] = []
  const server = createServer((request, response) =>
    script(request, response, () => {
      if (request.method === 'PUT') puts.push(decodeURIComponent(request.url ?? ''))
      handle(request, response)
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function fetchText(path: string): Promise<Buffer> {
    const answer = await fetch(url + path)
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }
  const store: ObjectStore = {
    url,
    puts,
    answerWith(next) {
      script = next
    },
    async list() {
      const xml = (await fetchText(`/${bucket}?list-type=2&max-keys=1000`)).toString()
      return [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name).sort()
    },
    read: (name) => fetchText(`/${bucket}/${name}`),
    async rows() {
      const names = (await store.list()).filter((name) => name.endsWith('.jsonl.gz'))
      const texts = await Promise.all(
        names.map(async (name) => gunzipSync(await store.read(name)).toString()),
      )
      return texts.flatMap((text) =>
        text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line))),
      )
    },
    async close() {
      server.closeAllConnections()
      server.close()
      app.logger.exceptions.unhandle()
      app.logger.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
  return store
}
