// Each message contains texts and their tokenizer. The answer is the number of tokens of each text.
import { parentPort } from 'node:worker_threads'
import { createTextCounters } from './count-text.mjs'

const counters = createTextCounters()

parentPort.on('message', async ({ texts, tokenizer }) => {
  const counter = await counters.load(tokenizer)
  const counts = texts.map((text) => {
    const count = { estimate: 0, bound: 0 }
    counter.add(text, count)
    return count
  })
  counters.forget()
  parentPort.postMessage(counts)
})
