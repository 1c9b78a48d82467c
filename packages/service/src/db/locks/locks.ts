/**
 * The id of every advisory lock that the program acquires. Replicas exclude each other only if all of them use the same
 * id, so an id stays as it is from one version to the next: during a rolling upgrade, an old and a new replica with
 * different ids would both acquire the lock. Postgres keeps the locks of each database apart, and those with one key
 * apart from those with two. 7_070_002 is used by the tests.
 */
export const locks = {
  /** Held while the schema is brought up to date: of replicas that start together, one applies the migrations. */
  migrations: 7_070_001,
  /** Held in the transaction that records what dead processes left: one replica does it at a time. */
  recovery: 7_070_003,
  /**
   * Held by each process that counts limits: exclusive when they are in its memory, shared when they are in Redis. A worker whose
   * supervisor counts does not hold it.
   */
  serving: 7_070_004,
  /** Held, with the hash of its id as the second key, by each process that serves calls: once it is free, the process is gone. */
  presence: 7_070_005,
  /**
   * Held while the checkpoints of a day are anchored, which takes as long as the time-stamp authority takes. It is not the lock of
   * recovery, so that a slow authority does not delay the recovery of dead processes.
   */
  dailyAnchor: 7_070_006,
  /** Held while data keys are created or encrypted again: replicas that start together agree on one master key. */
  dataKeys: 7_070_007,
  /** Held in the transaction that writes the log of alerts: their numbers are seen in their order. */
  alerts: 7_070_019,
  /** Held while partitions of `calls` are made and dropped: one replica does it at a time. */
  callPartitions: 7_070_020,
  /** Held while partitions of `calls` are indexed, which may take minutes. */
  callIndexes: 7_070_022,
  /** Held while a day of usage is added up: one replica does it at a time. */
  usageDays: 7_070_023,
  /** Held, with the hash of a tenant's id as the second key, while totals of usage and spend are added to: by one transaction at a time. */
  usageTotals: 7_070_026,
  /** Held while seals of a record are thinned out: one replica does it at a time. */
  sealThinning: 7_070_024,
  /**
   * Held, with the hash of a tenant's id as the second key: shared while captured content is stored, exclusive while it is erased
   * or its settings change. So nothing is stored after an erasure that did not know of it.
   */
  content: 7_070_010,
  /** Held while partitions of captured content are made or dropped. */
  contentPartitions: 7_070_011,
  /** Held, with the hash of a tenant's id as the second key, in the transaction that adds a job of compliance: none is added above the maximum. */
  complianceJobs: 7_070_012,
  /** Held, with a number chosen for the occasion as the second key, while two URLs are compared: do they lead to one database? */
  sameDatabase: 7_070_025,
  /**
   * Held in the database `postgres` of the embedded server by a process that joins it or leaves it: the last one to
   * leave stops the server, and must not miss one that is just joining.
   */
  embeddedServer: 1,
} as const
