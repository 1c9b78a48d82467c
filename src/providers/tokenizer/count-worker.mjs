// One message in, an array of texts; one message out, their token count.
import { parentPort } from 'node:worker_threads'
import { createTextCounter } from './count-text.mjs'

const counter = await createTextCounter()

parentPort.on('message', (texts) => {
  let tokens = 0
  for (const text of texts) tokens += counter.count(text)
  counter.forget()
  parentPort.postMessage(tokens)
})
