import { type CommandRow, commandRows, findCommand } from './commands.js'
import { type OptionName, optionRow } from './options.js'

const column = 26

const line = (left: string, right: string) =>
  left.length < column ? `  ${left.padEnd(column)}${right}` : `  ${left}\n  ${' '.repeat(column)}${right}`

const usageOf = ({ name, operand }: CommandRow) => (operand ? `${name} ${operand}` : name)

/** The text of `tallystick --help`. */
function describeCommands(): string {
  const groups = [...new Set(commandRows.map(({ group }) => group))].map((group) => [
    `${group}:`,
    ...commandRows.filter((row) => row.group === group).map((row) => line(usageOf(row), row.summary)),
    '',
  ])
  return [
    'Usage: tallystick [COMMAND] [OPTIONS]',
    '',
    ...groups.flat(),
    'tallystick COMMAND --help shows the options of a command, tallystick --version the version.',
    'In a checkout, tallystick is: npm run tallystick --',
    'Settings come from the environment and tallystick.yaml; docs/reference/configuration.md lists them.',
  ].join('\n')
}

/** The text of `tallystick COMMAND --help`, or that of all commands. */
export function describeCommand(name: string | null): string {
  const row = findCommand(name ?? '')
  if (row === undefined) return describeCommands()
  const { options = [], summary } = row
  const usage = `Usage: tallystick ${usageOf(row)}${options.length > 0 ? ' [OPTIONS]' : ''}`
  const lines = options.map((option) => line(describeOption(option), optionRow(option).summary))
  return [
    usage,
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...(lines.length > 0 ? [''] : []),
    ...lines,
  ].join('\n')
}

function describeOption(name: OptionName): string {
  const { value, multiple } = optionRow(name)
  return `--${name}${value ? ` ${value}` : ''}${multiple ? ' …' : ''}`
}
