// Loaded before the service (node --import): profiles its main thread between two SIGUSR2 and writes the profile to a file.
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

const { BENCH_PROFILE: file = '' } = process.env
const sampleUs = 200

/** @type {Session | null} */
let session = null
process.on('SIGUSR2', () => {
  if (session === null) {
    session = new Session()
    session.connect()
    session.post('Profiler.enable')
    session.post('Profiler.setSamplingInterval', { interval: sampleUs })
    session.post('Profiler.start', () => writeFileSync(`${file}.started`, ''))
    return
  }
  session.post('Profiler.stop', (_, { profile }) => {
    writeFileSync(`${file}.part`, JSON.stringify(profile))
    renameSync(`${file}.part`, file)
  })
  session.disconnect()
  session = null
})
