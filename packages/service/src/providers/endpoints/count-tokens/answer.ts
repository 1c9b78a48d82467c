import { asCount, type JsonObject } from '@tallystick/record/json'

/** Writes the answer to a request that counts tokens. */
export const writeTokenCount = (tokens: number): JsonObject => ({ input_tokens: asCount(tokens) })
