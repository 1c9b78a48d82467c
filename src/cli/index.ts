#!/usr/bin/env node
// Before anything else is loaded: the build bundles the program, and a stack should name the sources.
process.setSourceMapsEnabled(true)

const [subject, ...rest] = process.argv.slice(2)

// Loaded by itself: whoever only verifies needs neither the service nor anything that it stands on.
if (subject === 'verify') {
  const { verify } = await import('./verify/main.js')
  process.exitCode = await verify(rest)
} else {
  const { operate } = await import('./operate.js')
  await operate(process.argv.slice(2))
}
