/**
 * Whether the text right before a place ends as the expression says. Only so many characters are looked at, and none
 * across a line end, so an expression costs no more than its few characters, whatever the text.
 */
export function precedes(text: string, place: number, within: number, expression: RegExp): boolean {
  const window = text.slice(Math.max(0, place - within), place)
  return expression.test(window.slice(window.lastIndexOf('\n') + 1))
}

const identifierWords =
  /(?:\b(?:order|invoice|ticket|case|ref|reference|account|acct|tracking|serial|sku|isbn|issn|ean|upc|doi|part|model|id|uuid|version|po|vin|imei|lot|batch|item|catalogue|catalog|policy|claim|confirmation|booking|contract|patent|routing|receipt|transaction|txn|article|product|shipment|job|build|commit|license|licence|member|customer|student|employee|badge|passport|asset|device|chapter|iccid|barcode)|#)(?:[\s_-]?(?:no|number|num|nr|id|code|key))?[.:=]*["']?[\s#:=(]*["']?$/i

/** `Order no. …`, `"sku": "…"`: words that say what the number is, and that it is not about a person. */
export const isCalledIdentifier = (text: string, place: number): boolean =>
  precedes(text, place, 32, identifierWords)
