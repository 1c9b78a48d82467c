import { expect, test } from 'vitest'
import { commandLine } from './command-line.js'

test.each([
  ['/home/ada/tallystick/packages/service/dist/cli/index.js', 'npm run tallystick -- demo --tenant=x'],
  ['C:\\ada\\tallystick\\packages\\service\\dist\\cli\\index.js', 'npm run tallystick -- demo --tenant=x'],
  ['/home/ada/.npm/_npx/8a1c/node_modules/tallystick/dist/cli/index.js', 'npx tallystick demo --tenant=x'],
  ['/usr/lib/node_modules/tallystick/dist/cli/index.js', 'tallystick demo --tenant=x'],
])('a command is printed as one types it where the program is %s', (program, expected) => {
  expect(commandLine(['demo', '--tenant=x'], program)).toBe(expected)
})
