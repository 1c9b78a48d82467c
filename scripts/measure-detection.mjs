// Prints how well personal data and secrets are found in the labelled corpus; `--faults` shows every text read wrongly.
import { readdirSync, readFileSync } from 'node:fs'
import { measure } from '../packages/service/src/policies/detect/corpus/measure.js'
import { readCorpus } from '../packages/service/src/policies/detect/corpus/read-corpus.js'

const goal = 0.98
const folder = 'packages/service/src/policies/detect/corpus'
const files = readdirSync(folder).filter((name) => name.endsWith('.txt'))
const samplesOf = (names) => names.flatMap((name) => readCorpus(readFileSync(`${folder}/${name}`, 'utf8')))

function print(title, samples) {
  const { scores, overall, faults } = measure(samples)
  const clean = samples.filter(({ expected }) => expected.length === 0).length
  console.log(`\n${title}: ${samples.length} texts, ${clean} of them with nothing to find\n`)
  console.log('entity         right  wrong  missed  precision  recall')
  for (const { entity, right, wrong, missed, precision, recall } of [...scores, overall]) {
    const counts = `${String(right).padStart(5)}  ${String(wrong).padStart(5)}  ${String(missed).padStart(6)}`
    console.log(
      `${entity.padEnd(13)}  ${counts}  ${precision.toFixed(3).padStart(9)}  ${recall.toFixed(3).padStart(6)}`,
    )
  }
  if (process.argv.includes('--faults')) {
    for (const { text, wrong, missed } of faults) console.log({ text, wrong, missed })
  }
  return [...scores, overall].every(({ precision, recall }) => precision >= goal && recall >= goal)
}

const reached = print('All', samplesOf(files))
for (const name of files.filter((file) => file.startsWith('held-out'))) print(name, samplesOf([name]))
if (!reached) process.exit(1)
