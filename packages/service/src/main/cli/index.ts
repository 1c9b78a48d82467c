#!/usr/bin/env node
// This must run before anything else is loaded. The build bundles the program, and stacks should name the sources.
process.setSourceMapsEnabled(true)

const [command, ...rest] = process.argv.slice(2)

// Loaded separately, because verifying needs neither the service nor any package.
if (command === 'verify') {
  const { verify } = await import('./verify/main.js')
  process.exitCode = await verify(rest)
} else if (command === 'healthcheck' && rest.length === 0) {
  const { checkHealth } = await import('./healthcheck.js')
  process.exitCode = await checkHealth(process.env)
} else if (['apply', 'export-config', 'import'].includes(command ?? '')) {
  // A client of the management API, which may run on another machine than the service.
  const { runDeclarative } = await import('./declarative/main.js')
  process.exitCode = await runDeclarative(process.argv.slice(2), {
    env: process.env,
    cwd: process.cwd(),
    out: console.log,
    error: console.error,
  })
} else {
  const { runCommand } = await import('./run-command.js')
  await runCommand(process.argv.slice(2))
}
