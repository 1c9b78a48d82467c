import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Returns the command line of every process on this machine, which any user can read. */
export function listCommandLines(): string[] {
  if (!existsSync('/proc/self/cmdline'))
    return execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).split('\n')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        return [] // it has ended
      }
    })
}

/** A proxy in front of a service that reads the list of processes at every request, while its sender waits for the answer. */
export interface Witness {
  address: string
  /** All command lines that existed at some request. */
  seen: Set<string>
  /** `<status> <method> <path>` of every answer so far. */
  answers: string[]
  close(): void
}

export async function startWitness(target: string): Promise<Witness> {
  const seen = new Set<string>()
  const answers: string[] = []
  const server = createServer((request, response) => {
    for (const line of listCommandLines()) seen.add(line)
    const { method, headers } = request
    // Each request has its own connection: the service may close a kept connection at the moment it is used again.
    const options = { method, headers, agent: false }
    const forwarded = sendRequest(`${target}${request.url}`, options, (answer) => {
      answers.push(`${answer.statusCode} ${method} ${request.url}`)
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answers,
    close: () => server.close(),
  }
}
