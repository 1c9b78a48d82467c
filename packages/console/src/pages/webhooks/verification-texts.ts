/** Code for verifying a delivery. The same code is in docs/manage/webhooks.md, where it is tested. */
export const verificationTexts = [
  {
    id: 'node',
    label: 'Node',
    code: `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@tallystick/sdk'

createServer(async (request, response) => {
  try {
    const { id, event, data } = verifyWebhook({
      body: await buffer(request), // the raw bytes, before parsing
      signature: request.headers['x-tallystick-signature'],
      secret: process.env.TALLYSTICK_WEBHOOK_SECRET,
    })
    console.log(id, event, data.message) // once per id
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(8787)`,
  },
  {
    id: 'python',
    label: 'Python',
    code: `import hashlib, hmac, time

def verify(body: bytes, header: str, secret: str, tolerance: int = 300) -> bool:
    parts = [part.strip().split("=", 1) for part in header.split(",") if "=" in part]
    times = [value for name, value in parts if name == "t"]
    if len(times) != 1 or not (times[0].isascii() and times[0].isdigit()) or abs(time.time() - int(times[0])) > tolerance:
        return False
    expected = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
    matches = [hmac.compare_digest(expected.encode(), value.encode()) for name, value in parts if name == "v1"]
    return any(matches)`,
  },
  {
    id: 'standard',
    label: 'Standard Webhooks',
    code: `import { Webhook } from 'standardwebhooks'

// The headers webhook-id, webhook-timestamp and webhook-signature come along.
const event = new Webhook(process.env.TALLYSTICK_WEBHOOK_SECRET).verify(rawBody, request.headers)`,
  },
] as const
