export { createPromptReader, type PromptReader } from './reader.js'
export { readPromptReference } from './reference.js'
export { renderPrompt } from './render.js'
export { registerPromptRoutes } from './routes.js'
