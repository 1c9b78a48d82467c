import { parseArgs } from 'node:util'
import { scenarios } from '../scenarios.mjs'

export const usage = `Usage: npm run bench -- [options]
  --seconds N       how long each measurement lasts (2)
  --rounds N        how many measurements of each, whose median counts (5)
  --only TEXT       only the scenarios whose name contains TEXT
  --peers           also Portkey's gateway, installed into .peers/ when it is not there
  --replicas        also the service with its limits in Redis: 1, 2 and 4 processes behind one address
  --save            add the figures to bench/history.json
  --history         measure nothing: print the saved figures beside each other
  --json            print JSON

Scenarios
${scenarios.map(({ name }) => `  ${name}`).join('\n')}`

/** Null when help is asked for. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: '' },
      peers: { type: 'boolean', default: false },
      replicas: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      history: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return null
  return {
    ...values,
    seconds: readNumber('seconds', values.seconds, 0.1, 60),
    rounds: Math.round(readNumber('rounds', values.rounds, 1, 50)),
    scenarios: selectScenarios(values.only),
  }
}

/** @param {string} text part of their names */
export function selectScenarios(text) {
  const selected = scenarios.filter(({ name }) => name.includes(text))
  if (selected.length > 0) return selected
  throw new Error(`--only: no scenario has "${text}" in its name\n\n${usage}`)
}

/** @param {string} name @param {string} text @param {number} least @param {number} most */
function readNumber(name, text, least, most) {
  const value = Number(text)
  if (value >= least && value <= most) return value
  throw new Error(`--${name}: must be from ${least} to ${most}, not "${text}"`)
}
