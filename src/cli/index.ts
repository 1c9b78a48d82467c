#!/usr/bin/env node
const [subject, ...rest] = process.argv.slice(2)

// Loaded by itself: whoever only verifies needs neither the service nor anything that it stands on.
if (subject === 'verify') {
  const { verify } = await import('./verify/main.js')
  process.exitCode = await verify(rest)
} else {
  const { operate } = await import('./operate.js')
  await operate(process.argv.slice(2))
}
