import type { Reporter, TestModule } from 'vitest/node'
import { writeFileTimes } from './file-times.js'

/**
 * Prints at the end how long each project took, from its first file to its last, which files took longest, and the results of the
 * tests. With RECORD_FILE_TIMES, the times of files are stored, which determines the order of the next run.
 */
export class ProjectTimes implements Reporter {
  readonly #spans = new Map<string, { fromMs: number; toMs: number }>()

  onTestModuleStart({ project }: TestModule): void {
    const now = performance.now()
    if (!this.#spans.has(project.name)) this.#spans.set(project.name, { fromMs: now, toMs: now })
  }

  onTestModuleEnd({ project }: TestModule): void {
    const span = this.#spans.get(project.name)
    if (span) span.toMs = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const lines = [...this.#spans].map(([name, { fromMs, toMs }]) => {
      const files = modules.filter(({ project }) => project.name === name).length
      return `${name.padEnd(8)} ${((toMs - fromMs) / 1000).toFixed(1).padStart(6)} s  ${files} files`
    })
    const longest = modules
      .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
      .filter(({ ms }) => ms > 10_000)
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 12)
      .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(15)} s  ${file}`)
    lines.push(...longest)
    if (process.env.RECORD_FILE_TIMES)
      writeFileTimes(new Map(modules.map((module) => [module.relativeModuleId, totalMs(module)])))
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const states = tests.map((test) => test.result().state)
    // In CI every program must be installed, because nobody would notice tests that were skipped.
    if (process.env.CI === 'true')
      for (const test of tests.filter((test) => test.result().state === 'skipped'))
        lines.push(`skipped: ${test.module.relativeModuleId} > ${test.fullName}`)
    const count = (state: string) => states.filter((each) => each === state).length
    // A file that could not be loaded, a hook that failed and an error outside of any test are failures too.
    const others = modules.filter((module) => module.state() === 'failed' && !hasFailedTest(module)).length
    const failed = count('failed') + others + unhandledErrors.length
    const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : ''
    const seed = `SEED=${process.env.SEED} repeats the random choices`
    process.stdout.write(
      `${lines.join('\n')}\n${seed}\n\n${count('passed')} passed, ${failed} failed${skipped}\n`,
    )
  }
}

/** With what it imported and set up. */
function totalMs(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return duration + collectDuration + setupDuration
}

const hasFailedTest = ({ children }: TestModule) =>
  [...children.allTests()].some((test) => test.result().state === 'failed')
