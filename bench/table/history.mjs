import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {import('./figures.mjs').Figures} Figures
 * @typedef {object} Run
 * @property {string} version
 * @property {string} commit with `+` when the tree had changes that are not in it
 * @property {string} date
 * @property {{ cores: number, node: string, processor: string, load: number, diskSyncMs: number }} machine with its load when the run began
 * @property {number} rounds
 * @property {number} seconds
 * @property {Record<string, Record<string, Partial<Figures>>>} scenarios by contender
 */

const file = fileURLToPath(new URL('../history.json', import.meta.url))
const manifest = fileURLToPath(new URL('../../package.json', import.meta.url))

/** @returns {Run[]} */
const readRuns = () => JSON.parse(readFileSync(file, 'utf8'))

/** Adds a run to the file of all versions. @param {Omit<Run, 'version' | 'commit' | 'date' | 'scenarios'>} run @param {readonly import('./format.mjs').Row[]} rows */
export function saveRun({ machine, rounds, seconds }, rows) {
  const scenarios = Object.fromEntries(
    rows.map(({ scenario, figures }) => [
      scenario.name,
      Object.fromEntries([...figures].map(([name, each]) => [name, shorten(each)])),
    ]),
  )
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const date = new Date().toISOString().slice(0, 10)
  const run = { version, commit: describeCommit(), date, machine, rounds, seconds, scenarios }
  writeFileSync(file, `${JSON.stringify([...readRuns(), run], null, 2)}\n`)
}

/** @param {readonly string[]} args */
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

const describeCommit = () =>
  git('rev-parse', '--short=12', 'HEAD') +
  (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+')

/** What was measured, with three significant digits: more is noise. @param {Figures} figures @returns {Partial<Figures>} */
const shorten = (figures) =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) =>
      value === null || !Number.isFinite(value) ? [] : [[name, Number(value.toPrecision(3))]],
    ),
  )

const runsShown = 8

/** The last runs beside each other, each as a ratio to the bare proxy of its own run. @param {string} only part of the scenarios' names */
export function formatHistory(only) {
  const runs = readRuns().slice(-runsShown)
  if (runs.length === 0) return 'No run is saved yet: npm run bench -- --save'
  const names = [...new Set(runs.flatMap(({ scenarios }) => Object.keys(scenarios)))].filter((name) =>
    name.includes(only),
  )
  /** @param {string} title @param {keyof Figures} figure */
  const block = (title, figure) =>
    [
      formatLine(
        title,
        runs.map(({ version, commit }) => `${version} ${commit.slice(0, 7)}`),
      ),
      ...names.flatMap((scenario) => {
        const contenders = [
          ...new Set(runs.flatMap(({ scenarios }) => Object.keys(scenarios[scenario] ?? {}))),
        ]
        return contenders.flatMap((contender) => {
          const values = runs.map(({ scenarios }) => scenarios[scenario]?.[contender]?.[figure])
          if (
            contender === 'bare proxy' ||
            contender === 'direct' ||
            values.every((value) => value === undefined)
          )
            return []
          return [
            formatLine(
              `  ${scenario}: ${contender}`,
              values.map((value) => value?.toFixed(2) ?? '–'),
            ),
          ]
        })
      }),
    ].join('\n')
  return [
    block("processor time, times the bare proxy's", 'cpuOfBare'),
    block("throughput, of the bare proxy's", 'ofBare'),
    block('KiB per open stream', 'streamKiB'),
  ].join('\n\n')
}

/** @param {string} name @param {readonly string[]} cells */
const formatLine = (name, cells) => name.padEnd(56) + cells.map((cell) => cell.padStart(18)).join('')
