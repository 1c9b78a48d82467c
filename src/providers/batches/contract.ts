/** A batch as the provider knows it. */
export interface UpstreamBatch {
  id: string
  /** In its own words: `in_progress`, `completed`, … */
  status: string
  outputFileId: string | null
  errorFileId: string | null
  completed: number
  failed: number
}

/** The account that a batch lives in; null where the provider wants no credential. */
export type CredentialId = string | null

/**
 * The files and batches of a provider, as OpenAI's API has them. A batch is known to one account alone: what is asked of it later is
 * asked with the credential that it was made with. Everything rejects with a `ProviderRefusal`, or with an `ApiError` where there
 * was no answer.
 */
export interface ProviderBatches {
  /** Which credential the next batch goes out with. */
  pickCredential(): CredentialId
  upload(account: CredentialId, file: Buffer): Promise<string>
  /** `ownId` finds it again, when nobody knows whether it was made. */
  create(
    account: CredentialId,
    order: { fileId: string; endpoint: string; ownId: string },
  ): Promise<UpstreamBatch>
  findByOwnId(account: CredentialId, ownId: string): Promise<UpstreamBatch | null>
  read(account: CredentialId, id: string): Promise<UpstreamBatch>
  cancel(account: CredentialId, id: string): Promise<void>
  download(account: CredentialId, fileId: string): Promise<Buffer>
  remove(account: CredentialId, fileId: string): Promise<void>
}

/** The provider answered, and said no. */
export class ProviderRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = 'ProviderRefusal'
  }

  /** The same question may be answered another time. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408
  }
}
