import { commandRows, nextWords } from './commands.js'
import { type OptionName, optionRow, options } from './options.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The script that a shell loads to complete commands, options and their values. */
export const completionScript = (shell: Shell): string => scripts[shell]()

const subjects = nextWords([])
const actionsOf = (subject: string) => nextWords([subject])
const optionNames = Object.keys(options) as OptionName[]
const flags = (names: readonly OptionName[] = []) => names.map((name) => `--${name}`)

/** Lines of a `case` over the words of the command, for bash and zsh. */
const listWords = () =>
  [
    `'') words='${[...subjects, '--help', '--version'].join(' ')}' ;;`,
    ...subjects
      .filter((subject) => actionsOf(subject).length > 0)
      .map((subject) => `'${subject}') words='${actionsOf(subject).join(' ')}' ;;`),
    `'completion') words='${shells.join(' ')}' ;;`,
    ...commandRows
      .filter(({ options: names = [] }) => names.length > 0)
      .map(({ name, options: names }) => `'${name}'*) words='${[...flags(names), '--help'].join(' ')}' ;;`),
  ]
    .map((line) => `    ${line}`)
    .join('\n')

/** Lines of a `case` over the word before, for options with listed values. */
const listValues = () =>
  optionNames
    .flatMap((name) => {
      const { values } = optionRow(name)
      return values ? [`    --${name}) words='${values.join(' ')}' ;;`] : []
    })
    .join('\n')

/** Options whose value is not listed: the shell completes the names of files. */
const freeOptions = optionNames
  .filter((name) => optionRow(name).type === 'string' && !optionRow(name).values)
  .map((name) => `--${name}`)
  .join('|')

const bash = () => `_tallystick() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" command='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) break ;; esac
    command="\${command:+$command }\${COMP_WORDS[i]}"
  done
  case "$command" in
${listWords()}
  esac
  case "$previous" in
${listValues()}
    ${freeOptions}) words='' ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tallystick tallystick
`

// zsh runs the functions of bash, with its variables.
const zsh = () => `#compdef tallystick
autoload -Uz bashcompinit && bashcompinit
${bash()}`

const fish = () => {
  const quote = (text: string) => `'${text.replaceAll("'", "\\\\'")}'`
  const lines = ['# Load it with: tallystick completion fish | source', 'complete -c tallystick -f']
  for (const subject of subjects) lines.push(`complete -c tallystick -n __fish_use_subcommand -a ${subject}`)
  for (const { name, summary, options: names = [] } of commandRows) {
    const [subject = '', action] = name.split(' ')
    const seen = `__fish_seen_subcommand_from ${subject}`
    if (action)
      lines.push(
        `complete -c tallystick -n ${quote(`${seen}; and not __fish_seen_subcommand_from ${actionsOf(subject).join(' ')}`)} -a ${action} -d ${quote(summary)}`,
      )
    const condition = action ? `${seen}; and __fish_seen_subcommand_from ${action}` : seen
    for (const option of names) {
      const { type, values, isFile, summary: meaning } = optionRow(option)
      const value = values
        ? ` -x -a ${quote(values.join(' '))}`
        : isFile
          ? ' -r -F'
          : type === 'string'
            ? ' -x'
            : ''
      lines.push(`complete -c tallystick -n ${quote(condition)} -l ${option}${value} -d ${quote(meaning)}`)
    }
  }
  lines.push(
    `complete -c tallystick -n '__fish_seen_subcommand_from completion' -a ${quote(shells.join(' '))}`,
  )
  return `${lines.join('\n')}\n`
}

const scripts: Record<Shell, () => string> = { bash, zsh, fish }
