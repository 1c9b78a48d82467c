/** Whole picodollars (1e-12 USD) per token: USD per million tokens × 1e6, so every list price is an integer. */
export interface TokenRates {
  inputPicosPerToken: number
  outputPicosPerToken: number
  cacheReadPicosPerToken: number
  cacheWritePicosPerToken: number
}

/** Rates for the whole call, output included, once its input is longer than the vendor's threshold. */
export interface LongContextRates extends TokenRates {
  aboveInputTokens: number
}

export interface Price extends TokenRates {
  longContext?: LongContextRates
}

export interface UsdRates {
  input: number
  output: number
  cacheRead?: number | undefined
  cacheWrite?: number | undefined
}

export interface UsdPerMTok {
  inputUsdPerMTok: number
  outputUsdPerMTok?: number
  cacheReadUsdPerMTok?: number
  cacheWriteUsdPerMTok?: number
  longContext?: Omit<UsdPerMTok, 'longContext'> & { aboveInputTokens: number }
}

const USD_PER_MTOK_DECIMALS = 6
const USD_PER_TOKEN_DECIMALS = 12

/** Throws, naming the field, when an amount is negative or finer than one pico. */
export function priceFromUsdPerMTok(fields: UsdPerMTok): Price {
  const price: Price = ratesFromUsdPerMTok(fields)
  if (fields.longContext !== undefined) {
    const { aboveInputTokens, ...rates } = fields.longContext
    price.longContext = { aboveInputTokens, ...ratesFromUsdPerMTok(rates) }
  }
  return price
}

export function ratesFromUsdPerToken(usd: UsdRates): TokenRates {
  return toRates(usd, USD_PER_TOKEN_DECIMALS)
}

function ratesFromUsdPerMTok(fields: Omit<UsdPerMTok, 'longContext'>): TokenRates {
  const usd = {
    input: fields.inputUsdPerMTok,
    output: fields.outputUsdPerMTok ?? 0,
    cacheRead: fields.cacheReadUsdPerMTok,
    cacheWrite: fields.cacheWriteUsdPerMTok,
  }
  return toRates(usd, USD_PER_MTOK_DECIMALS)
}

// An unknown cache price becomes the input price: it may record too much, never too little.
function toRates(usd: UsdRates, decimals: number): TokenRates {
  return {
    inputPicosPerToken: toPicos('input', usd.input, decimals),
    outputPicosPerToken: toPicos('output', usd.output, decimals),
    cacheReadPicosPerToken: toPicos('cache read', usd.cacheRead ?? usd.input, decimals),
    cacheWritePicosPerToken: toPicos('cache write', usd.cacheWrite ?? usd.input, decimals),
  }
}

// Works on the shortest decimal that names the number, as the author of the file typed it.
// Multiplying floats instead turns 1.005 × 1e6 into 1004999.9999999999.
function toPicos(name: string, usd: number, decimals: number): number {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(usd))
  if (match === null) throw new Error(`${name} price ${usd} is not a number of dollars`)
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = decimals + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  const divisor = 10n ** BigInt(Math.max(0, -shift))
  if (digits % divisor !== 0n) throw new Error(`${name} price ${usd} is finer than 1e-12 USD per token`)
  const picos = Number((digits / divisor) * 10n ** BigInt(Math.max(0, shift)))
  if (!Number.isSafeInteger(picos)) throw new Error(`${name} price ${usd} is too large`)
  return picos
}
