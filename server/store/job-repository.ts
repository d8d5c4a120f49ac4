// Rows of the job queue. Knows no policy: the queue in jobs/ decides what is enqueued, run again or failed.
export const jobStatuses = ['queued', 'running', 'done', 'partial', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];

export interface JobRecord {
  id: number;
  /** static, dynamic, yara, or any name that a handler is registered for. */
  kind: string;
  apkId: number | null;
  payload: unknown;
  /** Lower runs first. */
  priority: number;
  status: JobStatus;
  /** 0 to 1. */
  progress: number;
  stage: string;
  errorCode: string | null;
  error: string | null;
  /** How often it was started. */
  attempts: number;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
}

export interface JobPageRequest {
  /** Only jobs that this account asked for. */
  requestedBy?: number | undefined;
  apkId?: number | undefined;
  statuses?: readonly JobStatus[] | undefined;
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
}

export interface JobRepository {
  findById(id: number): Promise<JobRecord | null>;
}
