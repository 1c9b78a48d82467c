import { asCount, type JsonObject } from '@tallystick/record/json'

/** Reads the answer of a provider that counts tokens. */
export const writeTokenCount = (tokens: number): JsonObject => ({ input_tokens: asCount(tokens) })
