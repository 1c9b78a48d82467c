/** As much of the S3 server as the harness uses: it comes without types. */
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export default class S3rver {
    constructor(options: { directory: string; silent: boolean; configureBuckets: { name: string }[] })
    configureBuckets(): Promise<void>
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    logger: { close(): void; exceptions: { unhandle(): void } }
  }
}
