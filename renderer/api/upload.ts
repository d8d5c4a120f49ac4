// Sends one file with progress. Knows nothing of queues and lists.
import {
  type AnswerOf,
  ApiError,
  addressOf,
  authorization,
  errorFromBody,
  noteUnauthorized,
  OfflineError,
  type QueryOf,
} from './client.ts';

type FileOperation =
  | 'POST /uploads/'
  | 'POST /known_lists/'
  | 'POST /libraries/'
  | 'POST /rule-packages/'
  | 'POST /apks/similar/';

export interface UploadHandlers {
  /** 0 to 1 of the bytes sent. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads by XMLHttpRequest, the one interface that reports the progress of a request's body.
 * @param query of the operation
 * @returns the status (201 new, 200 already held or not kept, 202 a job) and the record
 * @throws {ApiError} refused; {OfflineError} unreachable; {DOMException} AbortError
 */
export function uploadFile<K extends FileOperation>(
  operation: K,
  query: [QueryOf<K>] extends [never] ? Record<never, never> : QueryOf<K>,
  file: File,
  handlers: UploadHandlers,
): Promise<{ status: number; record: AnswerOf<K> }> {
  return new Promise((resolve, reject) => {
    const headers = authorization();
    const transfer = new XMLHttpRequest();
    transfer.open('POST', `${addressOf(operation)}?${new URLSearchParams(query as Record<string, string>)}`);
    transfer.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) transfer.setRequestHeader(name, value);
    transfer.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) handlers.onProgress(event.total === 0 ? 1 : event.loaded / event.total);
    });
    transfer.addEventListener('load', () => {
      const { status, responseText } = transfer;
      if (status === 401) noteUnauthorized(headers);
      if (status < 200 || status > 202) {
        reject(errorFromBody(status, responseText));
        return;
      }
      try {
        resolve({ status, record: JSON.parse(responseText) as AnswerOf<K> });
      } catch (error) {
        reject(new ApiError(status, error instanceof Error ? error.message : String(error)));
      }
    });
    transfer.addEventListener('error', () => reject(new OfflineError()));
    transfer.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
    handlers.signal.addEventListener('abort', () => transfer.abort(), { once: true });
    const form = new FormData();
    form.append('file', file, file.name);
    transfer.send(form);
  });
}
