// Sends one file with progress. Knows nothing of queues and lists.
import {
  type AnswerOf,
  ApiError,
  addressOf,
  authorization,
  errorFromBody,
  noteUnauthorized,
  OfflineError,
} from './client.ts';

type Uploaded = AnswerOf<'POST /uploads/'>;

export interface UploadHandlers {
  /** 0 to 1 of the bytes sent. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads by XMLHttpRequest, the one interface that reports the progress of a request's body.
 * @returns the status (201 new, 200 already held) and the APK's record
 * @throws {ApiError} refused; {OfflineError} unreachable; {DOMException} AbortError
 */
export function uploadFile(file: File, handlers: UploadHandlers): Promise<{ status: number; record: Uploaded }> {
  return new Promise((resolve, reject) => {
    const headers = authorization();
    const transfer = new XMLHttpRequest();
    transfer.open('POST', `${addressOf('POST /uploads/')}?${new URLSearchParams({ name: file.name })}`);
    transfer.setRequestHeader('Accept', 'application/json');
    for (const [name, value] of Object.entries(headers)) transfer.setRequestHeader(name, value);
    transfer.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) handlers.onProgress(event.total === 0 ? 1 : event.loaded / event.total);
    });
    transfer.addEventListener('load', () => {
      const { status, responseText } = transfer;
      if (status === 401) noteUnauthorized(headers);
      if (status !== 200 && status !== 201) {
        reject(errorFromBody(status, responseText));
        return;
      }
      try {
        resolve({ status, record: JSON.parse(responseText) as Uploaded });
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
