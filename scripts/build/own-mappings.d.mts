export function keepOwnMappings(text: string): string
