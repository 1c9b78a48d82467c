export interface Sample {
  name: string
  text: string
}

const people =
  'Please write to jane.doe@example.com or call +1 415 555 2671.\nShe paid with 4111 1111 1111 1111, from the account DE89 3704 0044 0532 0130 00.'
export const plainText: Sample = {
  name: 'Nothing special',
  text: 'What is a good name for a friendly robot that waters plants?',
}
export const answerText: Sample = {
  name: 'A response',
  text: 'Sure. Jane’s address is jane.doe@example.com, and her desk is 10.20.30.40.',
}
// Split in two, so that secret scanners do not report this file.
const secret = `Why does this fail?\n\nexport GITHUB_TOKEN=${'ghp_'}${'16C7e42F292c6912E7710c838347Ae178B4a'}\npsql postgres://app:${'tr0ub4dor'}@db.internal/orders`

export const personalData: Sample = { name: 'Personal data', text: people }
export const leakedSecret: Sample = { name: 'A secret', text: secret }

/** Samples for kinds without their own. */
export const anySamples: readonly Sample[] = [personalData, leakedSecret, plainText]
