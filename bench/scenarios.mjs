/**
 * @typedef {'plain' | 'tenants' | 'policies' | 'route' | 'far database'} Setup what the service is like: see setups.mjs
 * @typedef {'ofBare' | 'addedP50Ms' | 'cpuUs' | 'cpuOfBare' | 'streamKiB'} GoalFigure
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {boolean} [stream]
 * @property {number} connections
 * @property {boolean} [open] whether the streams stay open, all at the same time
 * @property {number} [promptChars]
 * @property {boolean} [conversation]
 * @property {number} [maxTokens]
 * @property {string} [provider] what the upstream is to do
 * @property {Setup} [setup] 'plain' when left out; in others only the bare proxy stands beside the service
 * @property {boolean} [check] whether `bench:check` measures it unasked
 * @property {readonly { figure: GoalFigure, least?: number, most?: number }[]} [goals] printed, never asserted
 */

const kib = 1_024

/** What users feel. Shared by `npm run bench` and `npm run bench:check`. @type {readonly Scenario[]} */
export const scenarios = [
  {
    name: 'plain, 32 connections',
    connections: 32,
    check: true,
    goals: [
      { figure: 'ofBare', least: 0.45 },
      { figure: 'cpuUs', most: 600 },
    ],
  },
  {
    name: 'plain, 1 connection',
    connections: 1,
    check: true,
    goals: [{ figure: 'addedP50Ms', most: 1.2 }],
  },
  { name: 'streamed, 32 connections', connections: 32, stream: true, check: true },
  { name: 'streamed, 1 connection', connections: 1, stream: true },
  {
    name: 'stream of 500 events, 8 connections',
    connections: 8,
    stream: true,
    maxTokens: 500,
    check: true,
    goals: [{ figure: 'cpuOfBare', most: 1.5 }],
  },
  {
    name: 'body of 100 KiB, 8 connections',
    connections: 8,
    promptChars: 100 * kib,
    check: true,
    goals: [{ figure: 'cpuOfBare', most: 2 }],
  },
  {
    name: 'body of 500 KiB, 8 connections',
    connections: 8,
    promptChars: 500 * kib,
    check: true,
    goals: [{ figure: 'cpuOfBare', most: 2 }],
  },
  {
    name: 'agent with 300 KiB, 8 connections',
    connections: 8,
    promptChars: 300 * kib,
    conversation: true,
    check: true,
  },
  { name: 'provider takes 300 ms, 100 connections', connections: 100, provider: 'delay-300' },
  {
    name: '1,000 open streams, 20 events/s each',
    connections: 1_000,
    stream: true,
    open: true,
    // The most that an answer may have; the caller leaves long before.
    maxTokens: 4_096,
    provider: 'pace-50',
    goals: [{ figure: 'streamKiB', most: 40 }],
  },
  { name: 'database 1 ms away, 32 connections', connections: 32, setup: 'far database' },
  { name: 'database 1 ms away, 1 connection', connections: 1, setup: 'far database' },
  { name: '1,000 tenants, 32 connections', connections: 32, setup: 'tenants' },
  { name: 'five policies, 32 connections', connections: 32, promptChars: kib, setup: 'policies' },
  { name: 'route with two targets, 32 connections', connections: 32, setup: 'route' },
]
