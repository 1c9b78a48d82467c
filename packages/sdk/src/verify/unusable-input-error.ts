import { UnusableInputError as UnusableInput } from '@tallystick/record/verify'

/** What was given is not an export or not a key, so nothing can be said of it. Declared here, because `@tallystick/record` is not installed with the SDK. */
export const UnusableInputError: new (message?: string) => Error = UnusableInput
