/** A batch as the provider reports it. */
export interface UpstreamBatch {
  id: string
  /** The provider's own status, such as `in_progress` or `completed`. */
  status: string
  outputFileId: string | null
  errorFileId: string | null
  completed: number
  failed: number
}

/** The account that owns a batch; null when the provider needs no credential. */
export type CredentialId = string | null

/**
 * The files and batches of a provider, with the operations of OpenAI's API. A batch is visible to one account only,
 * so later requests about it use the credential that created it. Every method rejects with a `ProviderRefusal`, or
 * with an `ApiError` when there was no answer.
 */
export interface ProviderBatches {
  /** Returns the credential to use for the next batch. */
  pickCredential(): CredentialId
  upload(account: CredentialId, file: Buffer): Promise<string>
  /** Creates a batch. `ownId` identifies it later if the answer to this request is lost. */
  create(
    account: CredentialId,
    batch: { fileId: string; endpoint: string; ownId: string },
  ): Promise<UpstreamBatch>
  findByOwnId(account: CredentialId, ownId: string): Promise<UpstreamBatch | null>
  read(account: CredentialId, id: string): Promise<UpstreamBatch>
  cancel(account: CredentialId, id: string): Promise<void>
  download(account: CredentialId, fileId: string): Promise<Buffer>
  remove(account: CredentialId, fileId: string): Promise<void>
}

/** The provider answered with a refusal. */
export class ProviderRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = 'ProviderRefusal'
  }

  /** True when the same request may succeed later. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408
  }
}
