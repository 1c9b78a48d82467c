export { describeLocks } from './describe-locks.js'
export { migrate, prepareSchema, readSchema, requireSchema } from './migrate.js'
export { refuseNewerSchema, SchemaError } from './schema-state.js'
export { programSchema, servingName } from './serving-programs.js'
