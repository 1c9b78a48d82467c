/**
 * Country codes, with the number of digits of a national number. Which numbers are in use changes all the time, whereas codes and
 * lengths hardly change, and they distinguish phone numbers from other numbers well enough.
 */
const plans =
  '1:10-10 7:10-10 20:8-10 27:9-9 30:10-10 31:9-9 32:8-9 33:9-9 34:9-9 36:8-9 39:8-11 40:9-9 41:9-9 43:7-13 44:9-10 45:8-8 ' +
  '46:7-9 47:8-8 48:9-9 49:7-12 51:8-9 52:10-11 53:8-8 54:10-11 55:10-11 56:9-9 57:10-10 58:10-10 60:8-10 61:9-9 62:8-12 ' +
  '63:9-10 64:8-10 65:8-8 66:8-9 81:9-10 82:8-11 84:9-10 86:10-11 90:10-10 91:10-10 92:9-10 93:9-9 94:9-9 95:7-10 98:10-10 ' +
  '211:9-9 212:9-9 213:8-9 216:8-8 218:8-9 220:7-7 221:9-9 222:8-8 223:8-8 224:9-9 225:10-10 226:8-8 227:8-8 228:8-8 ' +
  '229:8-10 230:7-8 231:7-9 232:8-8 233:9-9 234:8-10 235:8-8 236:8-8 237:9-9 238:7-7 239:7-7 240:9-9 241:7-8 242:9-9 ' +
  '243:9-9 244:9-9 245:7-9 248:7-7 249:9-9 250:9-9 251:9-9 252:7-9 253:8-8 254:9-9 255:9-9 256:9-9 257:8-8 258:8-9 260:9-9 ' +
  '261:9-9 262:9-9 263:8-9 264:8-9 265:7-9 266:8-8 267:7-8 268:8-8 269:7-7 290:4-5 291:7-7 297:7-7 298:6-6 299:6-6 350:8-8 ' +
  '351:9-9 352:6-9 353:7-9 354:7-9 355:8-9 356:8-8 357:8-8 358:6-11 359:8-9 370:8-8 371:8-8 372:7-8 373:8-8 374:8-8 375:9-9 ' +
  '376:6-9 377:8-9 378:8-10 380:9-9 381:8-9 382:8-8 383:8-8 385:8-9 386:8-8 387:8-8 389:8-8 420:9-9 421:9-9 423:7-9 500:5-5 ' +
  '501:7-7 502:8-8 503:8-8 504:8-8 505:8-8 506:8-8 507:7-8 508:6-6 509:8-8 590:9-9 591:8-8 592:7-7 593:8-9 594:9-9 595:8-9 ' +
  '596:9-9 597:6-7 598:8-8 599:7-8 670:7-8 672:6-6 673:7-7 674:7-7 675:7-8 676:5-7 677:5-7 678:5-7 679:7-7 680:7-7 682:5-5 ' +
  '685:5-7 686:5-8 687:6-6 688:5-6 689:8-8 690:4-5 691:7-7 692:7-7 800:8-8 808:8-8 850:8-10 852:8-8 853:8-8 855:8-9 856:8-10 ' +
  '870:9-9 880:8-10 881:8-9 882:7-12 883:7-12 886:8-9 960:7-7 961:7-8 962:8-9 963:8-9 964:8-10 965:8-8 966:8-9 967:7-9 ' +
  '968:8-8 970:8-9 971:8-9 972:8-9 973:8-8 974:8-8 975:8-8 976:8-8 977:8-10 992:9-9 993:8-8 994:9-9 995:9-9 996:9-9 998:9-9'

interface Plan {
  minDigits: number
  maxDigits: number
}

const planOf: ReadonlyMap<string, Plan> = new Map(
  plans.split(' ').map((entry) => {
    const [code = '', min, max] = entry.split(/[:-]/)
    return [code, { minDigits: Number(min), maxDigits: Number(max) }]
  }),
)

/** Country codes after which a number keeps its leading 0. Everywhere else the 0 is dropped. */
const leadingZero = new Set(['39', '225', '241', '242', '378'])

/** True when digits that start with a country code can be a phone number. No code is a prefix of another. */
export function isInternational(digits: string): boolean {
  for (let length = 1; length <= 3; length++) {
    const plan = planOf.get(digits.slice(0, length))
    if (plan === undefined) continue
    const national = digits.length - length
    if (isShortSample(digits)) return true
    if (national < plan.minDigits || national > plan.maxDigits) return false
    if (digits.charAt(length) === '0' && !leadingZero.has(digits.slice(0, length))) return false
    return length > 1 || digits.charAt(0) !== '1' || isNorthAmerican(digits.slice(1))
  }
  return false
}

/** True for a sample number without an area code, such as `+1-555-0123`. */
const isShortSample = (digits: string): boolean => /^155501\d\d$/.test(digits)

/** True for ten digits whose area and exchange start with 2 to 9 and are not service codes (`911`). No area has a 9 in the middle. */
export function isNorthAmerican(digits: string): boolean {
  return /^[2-9](?:[02-8]\d|1[02-9])[2-9](?:[02-9]\d|1[02-9])\d{4}$/.test(digits) || isSample(digits)
}

/** True for widely used samples, such as `123-456-7890` and `(555) 123-4567`. */
const isSample = (digits: string): boolean => digits === '1234567890' || /^[2-9]\d\d1234567$/.test(digits)
