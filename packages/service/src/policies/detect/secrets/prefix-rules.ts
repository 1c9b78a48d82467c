import { endsWithChecksum } from './base62-checksum.js'
import { looksLikeName, looksRandom } from './secret-values.js'

/** A kind of token that is recognized by its prefix. */
export interface PrefixRule {
  kind: string
  prefixes: readonly string[]
  /**
   * What must follow the prefix. The expression is sticky and has bounded repeats only, so that it takes at most as many steps as the
   * longest token has characters. If it has a group, the group is the token, and everything before it is a label.
   */
  rest: RegExp
  /** True when the complete match can be a real token. */
  accepts: (token: string, prefix: string) => boolean
  /** True when its checksum is enough to recognize it even in the middle of a word. */
  mayBeMidWord: boolean
}

type Options = Partial<Pick<PrefixRule, 'accepts' | 'mayBeMidWord'>>

const rule = (kind: string, prefixes: string, rest: RegExp, options: Options = {}): PrefixRule => ({
  kind,
  prefixes: prefixes.split(' '),
  rest,
  accepts: hasRandomBody,
  mayBeMidWord: false,
  ...options,
})

/** Accepts tokens with a checksum over the whole token, over the part after the prefix, or over either of them. */
const checksummed = (over: 'all' | 'body' | 'either'): Options => ({
  mayBeMidWord: true,
  accepts: (token, prefix) =>
    (over !== 'body' && endsWithChecksum(token)) ||
    (over !== 'all' && endsWithChecksum(token.slice(prefix.length))),
})

const hasRandomBody = (token: string, prefix: string): boolean => looksRandom(token.slice(prefix.length))

/** For alphabets with hyphens: rejects words that are joined by them, such as `glpat-our-second-attempt`. */
const hasNoWords = (token: string, prefix: string): boolean => {
  const body = token.slice(prefix.length)
  return looksRandom(body) && !(/[-_]/.test(body) && looksLikeName(body))
}

/** For prefixes that are also used elsewhere: a key of that length has both letters and digits. */
const hasLettersAndDigits = (token: string, prefix: string): boolean => {
  const body = token.slice(prefix.length)
  return /\d/.test(body) && /[A-Za-z]/.test(body) && hasNoWords(token, prefix)
}

export const prefixRules: readonly PrefixRule[] = [
  rule('tallystick_key', 'tallystick_sk_', /[0-9A-Za-z]{40}(?![0-9A-Za-z])/y, checksummed('all')),
  rule(
    'github_token',
    'ghp_ gho_ ghu_ ghs_ ghr_',
    /[0-9A-Za-z]{36}(?:[0-9A-Za-z]{40})?(?![0-9A-Za-z])/y,
    checksummed('body'),
  ),
  rule('github_token', 'github_pat_', /[0-9A-Za-z]{22}_[0-9A-Za-z]{59}(?!\w)/y),
  // Sources differ on whether the checksum covers the prefix.
  rule('npm_token', 'npm_', /[0-9A-Za-z]{36}(?![0-9A-Za-z])/y, checksummed('either')),
  rule('aws_access_key', 'AKIA ASIA ABIA ACCA', /[A-Z2-7]{16}(?!\w)/y),
  rule(
    'aws_secret_key',
    'aws_secret_access_key AWS_SECRET_ACCESS_KEY secret_access_key SecretAccessKey secretAccessKey aws_secret_key AWS_SECRET_KEY',
    /["']?\s{0,2}[:=]\s{0,2}["']?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y,
  ),
  rule('google_api_key', 'AIza', /[\w-]{35}(?![\w-])/y),
  rule('google_oauth_secret', 'GOCSPX-', /[\w-]{28}(?![\w-])/y),
  rule('google_oauth_token', 'ya29.', /[\w-]{30,512}/y),
  rule('google_oauth_token', '1//0', /[\w-]{40,140}(?![\w-])/y),
  rule('azure_storage_key', 'AccountKey= accountkey= ACCOUNT_KEY=', /([A-Za-z0-9+/]{86}==)/y),
  rule('azure_sas', 'sig=', /((?:[0-9A-Za-z]|%2[BbFf]){43}%3[Dd])(?!\w)/y),
  rule('azure_access_key', 'SharedAccessKey=', /([A-Za-z0-9+/]{43}=)/y),
  rule(
    'slack_token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxe-',
    /(?:\d{8,14}-[0-9A-Za-z-]{10,160}|[0-9A-Za-z]{1,16}-[0-9A-Za-z-]{20,160})(?![\w-])/y,
  ),
  rule('slack_token', 'xapp-', /\d-[A-Z0-9]{9,13}-\d{9,15}-[0-9a-f]{40,64}(?!\w)/y),
  rule(
    'slack_webhook',
    'hooks.slack.com/services/',
    /(T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[0-9A-Za-z]{20,28})(?!\w)/y,
  ),
  rule(
    'discord_webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    /(\d{17,20}\/[\w-]{60,72})(?![\w-])/y,
  ),
  rule('stripe_key', 'sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_', /[0-9A-Za-z]{16,120}(?!\w)/y),
  rule('webhook_secret', 'whsec_', /[0-9A-Za-z+/]{24,64}={0,2}(?!\w)/y),
  rule('openai_key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', /[\w-]{20,200}(?![\w-])/y, {
    accepts: hasLettersAndDigits,
  }),
  rule('anthropic_key', 'sk-ant-', /(?:[a-z]{3,8}\d\d-)?[\w-]{20,128}(?![\w-])/y, {
    accepts: hasLettersAndDigits,
  }),
  rule('openrouter_key', 'sk-or-v1-', /[0-9a-f]{64}(?!\w)/y),
  rule('openai_key', 'sk-', /[0-9A-Za-z]{20,64}(?![\w-])/y, { accepts: hasLettersAndDigits }),
  rule('huggingface_token', 'hf_', /[0-9A-Za-z]{34,38}(?!\w)/y),
  rule('groq_key', 'gsk_', /[0-9A-Za-z]{48,56}(?!\w)/y),
  rule('perplexity_key', 'pplx-', /[0-9A-Za-z]{40,56}(?!\w)/y),
  rule('xai_key', 'xai-', /[0-9A-Za-z]{80}(?!\w)/y),
  rule('replicate_token', 'r8_', /[0-9A-Za-z]{37}(?!\w)/y),
  rule('nvidia_key', 'nvapi-', /[\w-]{60,72}(?![\w-])/y),
  rule(
    'gitlab_token',
    'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- gloas- glimt- glagent-',
    /[\w-]{20,320}(?:\.[0-9a-z]{2}(?:\.[0-9a-z]{9}|[0-9a-z]{7}))?(?![\w-])/y,
    { accepts: hasNoWords },
  ),
  rule('sendgrid_key', 'SG.', /[\w-]{22}\.[\w-]{43}(?![\w-])/y),
  rule('twilio_key', 'SK AC', /[0-9a-f]{32}(?!\w)/y),
  rule('mailgun_key', 'key-', /[0-9a-f]{32}(?!\w)/y),
  rule('brevo_key', 'xkeysib-', /[0-9a-f]{64}-[0-9A-Za-z]{16}(?!\w)/y),
  rule('shopify_token', 'shpat_ shpca_ shppa_ shpss_', /[0-9a-fA-F]{32}(?!\w)/y),
  rule('digitalocean_token', 'dop_v1_ doo_v1_ dor_v1_', /[0-9a-f]{64}(?!\w)/y),
  rule('databricks_token', 'dapi', /[0-9a-f]{32}(?:-\d)?(?![\w-])/y),
  rule('pypi_token', 'pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw', /[\w-]{50,256}(?![\w-])/y),
  rule('rubygems_key', 'rubygems_', /[0-9a-f]{48}(?!\w)/y),
  rule('docker_token', 'dckr_pat_ dckr_oat_', /[\w-]{27,32}(?![\w-])/y),
  rule('vault_token', 'hvs. hvb. hvr.', /[\w-]{24,200}(?![\w-])/y, { accepts: hasNoWords }),
  rule('grafana_token', 'glsa_', /[0-9A-Za-z]{32}_[0-9a-f]{8}(?!\w)/y),
  rule('linear_key', 'lin_api_', /[0-9A-Za-z]{40}(?!\w)/y),
  rule('notion_token', 'ntn_', /[0-9A-Za-z]{40,50}(?!\w)/y, { accepts: hasLettersAndDigits }),
  rule('notion_token', 'secret_', /[0-9A-Za-z]{43}(?!\w)/y, { accepts: hasLettersAndDigits }),
  rule('atlassian_token', 'ATATT3', /[\w=-]{150,220}(?![\w=-])/y),
  rule('square_token', 'sq0atp- sq0csp-', /[\w-]{22,43}(?![\w-])/y),
  rule('newrelic_key', 'NRAK-', /[0-9A-Z]{27}(?!\w)/y),
  rule('postman_key', 'PMAK-', /[0-9a-f]{24}-[0-9a-f]{34}(?!\w)/y),
  rule('planetscale_token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', /[\w.-]{32,64}(?![\w-])/y),
  rule('sentry_token', 'sntryu_', /[0-9a-f]{64}(?!\w)/y),
  rule('supabase_token', 'sbp_', /[0-9a-f]{40}(?!\w)/y),
  rule('sonar_token', 'sqp_ squ_ sqa_', /[0-9a-f]{40}(?!\w)/y),
  rule(
    'tailscale_key',
    'tskey-auth- tskey-api- tskey-client-',
    /[0-9A-Za-z]{8,24}-[0-9A-Za-z]{20,48}(?!\w)/y,
  ),
  rule('doppler_token', 'dp.pt. dp.st. dp.sa. dp.ct.', /[\w.]{40,80}(?!\w)/y),
  rule('pulumi_token', 'pul-', /[0-9a-f]{40}(?!\w)/y),
  rule('netlify_token', 'nfp_', /[0-9A-Za-z]{36}(?!\w)/y),
  rule('figma_token', 'figd_', /[\w-]{40,48}(?![\w-])/y),
  rule('langsmith_key', 'lsv2_pt_ lsv2_sk_', /[0-9a-f]{32}_[0-9a-f]{10}(?!\w)/y),
  rule('pinecone_key', 'pcsk_', /[0-9A-Za-z]{5,8}_[0-9A-Za-z]{40,80}(?!\w)/y),
  rule('age_key', 'AGE-SECRET-KEY-1', /[02-9AC-HJ-NP-Z]{58}(?!\w)/y),
]
