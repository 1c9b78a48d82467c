import { type Static, Type } from 'typebox'
import { DateTime, Name, strict, withDefault } from '../../http/index.js'
import { labelPattern } from './labels/label.js'

const PromptId = Type.String({ examples: ['prompt_01k9zq3w8hcv7m2x4n6p8r0t1y'] })
const VersionId = Type.String({ examples: ['ver_01k9zq4b5d6f7g8h9j0k1m2n3p'] })
const VersionNumber = Type.Integer({ minimum: 1, examples: [3] })
const IdReference = Type.String({ maxLength: 64 })

const PromptName = Name({
  description: 'A name that is unique in the tenant',
  examples: ['Support greeting'],
})
const Description = Type.String({ maxLength: 2_000, description: 'What the prompt is for' })

export const maxContentBytes = 256 * 1024

const Content = Type.String({
  minLength: 1,
  // Counts characters, so only a first bound; bytes are counted when a version is appended.
  maxLength: maxContentBytes,
  description: 'The text of the prompt, up to 256 KiB of UTF-8. `{{name}}` marks a variable',
  examples: ['You greet {{customer}} in one friendly sentence.'],
})

export const Prompt = Type.Object(
  {
    id: PromptId,
    name: Type.String(),
    description: Type.String({ description: 'Empty if no description was given' }),
    labels: Type.Record(Type.String(), Type.Object({ versionId: VersionId, version: VersionNumber }), {
      description:
        'The version that each label points at. `latest` is not included, because it always points at the newest version',
      examples: [{ production: { versionId: 'ver_01k9zq4b5d6f7g8h9j0k1m2n3p', version: 3 } }],
    }),
    createdAt: DateTime,
  },
  { title: 'Prompt' },
)

export const PromptVersion = Type.Object(
  { id: VersionId, promptId: PromptId, version: VersionNumber, content: Type.String(), createdAt: DateTime },
  { title: 'PromptVersion' },
)

export const ResolvedLabel = Type.Object(
  { promptId: PromptId, versionId: VersionId, version: VersionNumber, content: Type.String() },
  { title: 'ResolvedLabel' },
)

export const CreatePrompt = Type.Object(
  {
    name: PromptName,
    description: withDefault(Description, ''),
    content: Type.Optional(Content),
  },
  {
    ...strict,
    title: 'CreatePrompt',
    examples: [{ name: 'Support greeting', content: 'You greet {{customer}} in one friendly sentence.' }],
  },
)
export const UpdatePrompt = Type.Partial(Type.Object({ name: PromptName, description: Description }), {
  ...strict,
  minProperties: 1,
  title: 'UpdatePrompt',
  examples: [{ description: 'The first words of every conversation' }],
})
export const AppendVersion = Type.Object(
  { promptId: IdReference, content: Content },
  {
    ...strict,
    title: 'AppendPromptVersion',
    examples: [
      {
        promptId: 'prompt_01k9zq3w8hcv7m2x4n6p8r0t1y',
        content: 'You greet {{customer}} in one short and friendly sentence.',
      },
    ],
  },
)
export const SetLabel = Type.Object(
  {
    promptId: IdReference,
    label: Type.String({
      pattern: labelPattern,
      description: 'Any name except `latest`',
      examples: ['production'],
    }),
    versionId: IdReference,
  },
  {
    ...strict,
    title: 'SetPromptLabel',
    examples: [
      {
        promptId: 'prompt_01k9zq3w8hcv7m2x4n6p8r0t1y',
        label: 'production',
        versionId: 'ver_01k9zq4b5d6f7g8h9j0k1m2n3p',
      },
    ],
  },
)

export const ByLabel = Type.Object({
  id: IdReference,
  label: Type.String({ maxLength: 64, examples: ['production'] }),
})

export type Prompt = Static<typeof Prompt>
export type PromptVersion = Static<typeof PromptVersion>
export type ResolvedLabel = Static<typeof ResolvedLabel>
export type CreatePrompt = Static<typeof CreatePrompt>
export type UpdatePrompt = Static<typeof UpdatePrompt>
export type AppendVersion = Static<typeof AppendVersion>
export type SetLabel = Static<typeof SetLabel>
