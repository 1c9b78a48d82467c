export { answerOnce, prepareAndAnswerOnce } from './answer-once.js'
export { startPruningAnswers } from './prune.js'
export { type AnswerKeys, deriveAnswerKeys } from './sealed-answer.js'
export { eraseAnswers } from './store.js'
