export { createPromptReader, type PromptReader } from './reader.js'
export { PromptReference, readPromptReference } from './reference.js'
export { renderPrompt } from './render.js'
export { registerPromptRoutes } from './routes.js'
