import { useSearch } from '@tanstack/react-router'
import { PromptList } from './list'
import { OpenPrompt } from './open-prompt'

export default function PromptsPage() {
  const search = useSearch({ from: '/app/prompts' })
  return search.prompt === undefined ? (
    <PromptList search={search} />
  ) : (
    <OpenPrompt key={search.prompt} id={search.prompt} search={search} />
  )
}
