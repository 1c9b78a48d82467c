import { looksRandom } from './strength.js'

/** A kind of token that is told by a mark in its middle: what stands before it, no longer than `most`, and what follows. */
export interface MarkedRule {
  kind: string
  mark: string
  /** What must follow a mark that is too common to look at each. */
  ahead?: RegExp
  before: RegExp
  most: number
  rest: RegExp
  accepts: (token: string) => boolean
}

/** Discord's first part is the bot's number, in base 64. */
const namesDiscordBot = (token: string): boolean =>
  /^\d{17,20}$/.test(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('latin1'))

export const markedRules: readonly MarkedRule[] = [
  {
    kind: 'telegram_bot_token',
    mark: ':AA',
    before: /(?<=(?:^|\W)(?:bot)?)\d{8,10}$/,
    most: 14,
    rest: /[\w-]{33}(?![\w-])/y,
    accepts: looksRandom,
  },
  {
    kind: 'terraform_token',
    mark: '.atlasv1.',
    before: /(?<!\w)[0-9A-Za-z]{14}$/,
    most: 15,
    rest: /[\w-]{60,70}(?![\w-])/y,
    accepts: looksRandom,
  },
  {
    kind: 'azure_client_secret',
    mark: 'Q~',
    before: /(?<![\w~.-])[\w~.-]{3}\d$/,
    most: 5,
    rest: /[\w~.-]{30,34}(?![\w~-])/y,
    accepts: looksRandom,
  },
  {
    kind: 'mailchimp_key',
    mark: '-us',
    before: /(?<!\w)[0-9a-f]{32}$/,
    most: 33,
    rest: /\d{1,2}(?!\w)/y,
    accepts: looksRandom,
  },
  {
    kind: 'discord_bot_token',
    mark: '.',
    ahead: /(?=[\w-]{6}\.)/,
    before: /(?<![\w-])[MNO][\w-]{22,27}$/,
    most: 29,
    rest: /[\w-]{6}\.[\w-]{27,40}(?![\w-])/y,
    accepts: namesDiscordBot,
  },
]
