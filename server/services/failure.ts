// The error that services raise when a request cannot be served. Knows nothing of HTTP beyond the catalogue's status.
import type { FieldErrors } from '../contract/error.ts';
import { type FailureId, failures } from '../contract/failure.ts';
import { isDatabaseDamage, storageFaultOf } from '../store/store-errors.ts';
import { DamagedReportError } from '../vault/packed-bytes.ts';

/** A refusal from the catalogue, with what its message needs. */
export class Failure extends Error {
  readonly id: FailureId;
  readonly status: number;
  /** Seconds until the same request may succeed, where that is known. */
  readonly retryAfter: number | null;

  constructor(id: FailureId, values: Record<string, string | number> = {}, retryAfter: number | null = null) {
    super(failures[id].message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')));
    this.name = 'Failure';
    this.id = id;
    this.status = failures[id].status;
    this.retryAfter = retryAfter;
  }
}

/** A record that is there, and that the caller may not know of: told as not there, noted as a refusal. */
export class Concealed extends Failure {
  constructor() {
    super('not-found');
  }
}

const ofPolicy: readonly FailureId[] = ['not-allowed', 'feed-not-allowed'];

/** Whether somebody was refused for who it is. */
export const isPolicyRefusal = (error: unknown): boolean =>
  error instanceof Concealed || (error instanceof Failure && ofPolicy.includes(error.id));

const passing: readonly number[] = [503, 507];

/** Whether it may be over at the next try: it says nothing about what was to be taken in. */
export const isPassing = ({ status }: Failure): boolean => passing.includes(status);

/** The refusal for a data folder that is full, read-only or damaged; null for any other error. */
export function storageFailureOf(error: unknown): Failure | null {
  if (isDatabaseDamage(error)) return new Failure('catalogue-damaged');
  if (error instanceof DamagedReportError) return new Failure('report-damaged');
  const reason = storageFaultOf(error);
  return reason === null ? null : new Failure('storage-refused', { reason });
}

/** A search that is not understood. */
export class SearchFailure extends Failure {
  /** Offset in the search text, in UTF-16 units. */
  readonly position: number;

  constructor(reason: string, position: number) {
    super('invalid-search', { reason });
    this.position = position;
  }
}

/** Values of fields that cannot be taken: messages by field. */
export class FieldFailure extends Error {
  readonly fields: FieldErrors;
  /** What else the answer says, beside the fields. */
  readonly details: object;

  constructor(fields: FieldErrors, details: object = {}) {
    super(
      Object.entries(fields)
        .flatMap(([name, messages]) => messages.map((message) => `${name}: ${message}`))
        .join(' '),
    );
    this.name = 'FieldFailure';
    this.fields = fields;
    this.details = details;
  }
}
