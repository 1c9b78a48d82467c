export { type FindName, forgetNames, type NamedType, namesAt, type WantedName } from './names.js'
