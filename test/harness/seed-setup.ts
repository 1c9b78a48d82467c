import fc from 'fast-check'
import { restartRandom, seed } from './seed.js'

restartRandom()
fc.configureGlobal({ seed })
