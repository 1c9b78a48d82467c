import * as sdk from '@tallystick/sdk'
import * as verify from '@tallystick/sdk/verify'
import { journey } from './journey.mjs'

const result = await journey(sdk, verify, JSON.parse(process.env.JOURNEY ?? ''))
process.stdout.write(JSON.stringify(result))
