// Each message contains texts and their tokenizer. The answer is the number of their tokens.
import { parentPort } from 'node:worker_threads'
import { createTextCounters } from './count-text.mjs'

const counters = createTextCounters()

parentPort.on('message', async ({ texts, tokenizer }) => {
  const counter = await counters.load(tokenizer)
  const total = { estimate: 0, bound: 0 }
  for (const text of texts) counter.add(text, total)
  counters.forget()
  parentPort.postMessage(total)
})
