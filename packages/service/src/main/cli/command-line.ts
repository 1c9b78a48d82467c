/** Returns a command as it is typed to run this program again: in a checkout, through npx, or installed. */
export function commandLine(args: readonly string[], program = process.argv[1] ?? ''): string {
  return [launcherOf(program.replaceAll('\\', '/')), ...args].join(' ')
}

function launcherOf(program: string): string {
  if (program.endsWith('packages/service/dist/cli/index.js')) return 'npm run tallystick --'
  // The folder from which npx runs packages that are not installed.
  return program.includes('/_npx/') ? 'npx tallystick' : 'tallystick'
}
