import fc from 'fast-check'
import { propertyRuns } from './property-runs.js'
import { restartRandom, seed } from './seed.js'

restartRandom()
fc.configureGlobal({ seed, numRuns: propertyRuns })
