import { looksRandom } from './secret-values.js'

/** A kind of token that is recognized by a fixed text in its middle. */
export interface InfixRule {
  kind: string
  infix: string
  /** What must follow an infix that is too common to check every occurrence. */
  lookahead?: RegExp
  /** What must come before the infix, with at most `maxBefore` characters. */
  before: RegExp
  maxBefore: number
  /** What must follow the infix. */
  after: RegExp
  accepts: (token: string) => boolean
}

/** The first part of a Discord token is the number of the bot, in base 64. */
const startsWithBotNumber = (token: string): boolean =>
  /^\d{17,20}$/.test(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('latin1'))

export const infixRules: readonly InfixRule[] = [
  {
    kind: 'telegram_bot_token',
    infix: ':AA',
    before: /(?<=(?:^|\W)(?:bot)?)\d{8,10}$/,
    maxBefore: 14,
    after: /[\w-]{33}(?![\w-])/y,
    accepts: looksRandom,
  },
  {
    kind: 'terraform_token',
    infix: '.atlasv1.',
    before: /(?<!\w)[0-9A-Za-z]{14}$/,
    maxBefore: 15,
    after: /[\w-]{60,70}(?![\w-])/y,
    accepts: looksRandom,
  },
  {
    kind: 'azure_client_secret',
    infix: 'Q~',
    before: /(?<![\w~.-])[\w~.-]{3}\d$/,
    maxBefore: 5,
    after: /[\w~.-]{30,34}(?![\w~-])/y,
    accepts: looksRandom,
  },
  {
    kind: 'mailchimp_key',
    infix: '-us',
    before: /(?<!\w)[0-9a-f]{32}$/,
    maxBefore: 33,
    after: /\d{1,2}(?!\w)/y,
    accepts: looksRandom,
  },
  {
    kind: 'discord_bot_token',
    infix: '.',
    lookahead: /(?=[\w-]{6}\.)/,
    before: /(?<![\w-])[MNO][\w-]{22,27}$/,
    maxBefore: 29,
    after: /[\w-]{6}\.[\w-]{27,40}(?![\w-])/y,
    accepts: startsWithBotNumber,
  },
]
