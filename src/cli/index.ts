#!/usr/bin/env node
// Before anything else is loaded: the build bundles the program, and stacks should name the sources.
process.setSourceMapsEnabled(true)

const [command, ...rest] = process.argv.slice(2)

// Loaded apart: verifying needs neither the service nor any package.
if (command === 'verify') {
  const { verify } = await import('./verify/main.js')
  process.exitCode = await verify(rest)
} else {
  const { runCommand } = await import('./run-command.js')
  await runCommand(process.argv.slice(2))
}
