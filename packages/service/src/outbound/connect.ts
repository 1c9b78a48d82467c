import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { describeFailure } from './describe-failure.js'
import type { TlsOptions } from './vetted-connector.js'

export interface ConnectTarget extends TlsOptions {
  hostname: string
  port: string
  isTls: boolean
}

/** A connection, or why there is none, without details of the network. */
export type Connected = { socket: Socket } | { failure: string }

/** Connects with a connector that knows the rules. Never rejects. */
export const connectTo = (
  connect: buildConnector.connector,
  { hostname, port, isTls }: ConnectTarget,
): Promise<Connected> =>
  new Promise((resolve) => {
    const protocol = isTls ? 'https:' : 'http:'
    connect({ hostname, host: `${hostname}:${port}`, port, protocol }, (error, socket) =>
      resolve(error === null ? { socket } : { failure: describeFailure(error) }),
    )
  })
