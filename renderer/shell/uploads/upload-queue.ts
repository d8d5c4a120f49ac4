// The queue of files on their way to the server. Knows nothing of React and of how a drop becomes files.
import { create } from 'zustand';
import { basesFirst, isSplitName, maxBeside } from '../../../server/contract/catalogue/split-names.ts';
import { OfflineError } from '../../api/client.ts';
import { uploadFile } from '../../api/upload.ts';
import { uploadsTexts } from './texts.ts';

export type UploadState = 'waiting' | 'uploading' | 'checking' | 'added' | 'held' | 'refused' | 'cancelled';

export interface Upload {
  readonly id: number;
  /** Path inside the dropped folder, else the file's name. */
  readonly name: string;
  readonly size: number;
  state: UploadState;
  /** 0 to 1 of the bytes sent. */
  progress: number;
  /** Why it was refused. */
  reason: string;
  sha256: string | null;
  app: string | null;
}

export interface UploadSummary {
  total: number;
  waiting: number;
  active: number;
  added: number;
  held: number;
  refused: number;
  cancelled: number;
  /** Files found in folders that are no archives, left where they are. */
  leftAside: number;
  bytesTotal: number;
  bytesSent: number;
  /** Since something was sent without a pause; 0: nothing is. */
  bytesPerSecond: number;
}

interface UploadsState {
  /** Rises whenever an upload changes, at most once per frame: ten thousand files must not redraw ten thousand times. */
  version: number;
  summary: UploadSummary;
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** Enough to hide the server's checks behind the next transfer; more would only share the same bandwidth. */
const concurrency = 3;

const emptySummary = (): UploadSummary => ({
  total: 0,
  waiting: 0,
  active: 0,
  added: 0,
  held: 0,
  refused: 0,
  cancelled: 0,
  leftAside: 0,
  bytesTotal: 0,
  bytesSent: 0,
  bytesPerSecond: 0,
});

export const useUploads = create<UploadsState>((set) => ({
  version: 0,
  summary: emptySummary(),
  isOpen: false,
  setOpen: (isOpen) => set({ isOpen }),
}));

interface QueuedUpload extends Upload {
  file: File;
  abort: AbortController;
}

let uploads: QueuedUpload[] = [];
let nextWaiting = 0;
let active = 0;
let leftAside = 0;
let nextId = 1;
let isAnnounced = false;
/** When sending began, and what had been sent by then; null: nothing is sent. */
let began: { at: number; bytes: number } | null = null;

function summarise(): UploadSummary {
  const summary = emptySummary();
  summary.total = uploads.length;
  summary.leftAside = leftAside;
  for (const upload of uploads) {
    summary.bytesTotal += upload.size;
    if (upload.state === 'uploading' || upload.state === 'checking') summary.active += 1;
    else summary[upload.state] += 1;
    summary.bytesSent +=
      upload.state === 'waiting' ? 0 : upload.state === 'uploading' ? upload.progress * upload.size : upload.size;
  }
  if (summary.active === 0) began = null;
  else {
    const now = performance.now();
    began ??= { at: now, bytes: summary.bytesSent };
    summary.bytesPerSecond = ((summary.bytesSent - began.bytes) * 1000) / Math.max(1, now - began.at);
  }
  return summary;
}

function announce(): void {
  if (isAnnounced) return;
  isAnnounced = true;
  requestAnimationFrame(() => {
    isAnnounced = false;
    useUploads.setState(({ version }) => ({ version: version + 1, summary: summarise() }));
  });
}

const folderOf = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1);

/** What a split came with, its base among it; nothing for any other file. */
const besides = ({ name }: QueuedUpload): QueuedUpload[] =>
  isSplitName(name) ? uploads.filter((one) => !isSplitName(one.name) && folderOf(one.name) === folderOf(name)) : [];

/** The server makes a split a part of the app beside it that it fits. */
function companyOf(upload: QueuedUpload): { part_of?: string } {
  const apps = [...new Set(besides(upload).flatMap(({ sha256 }) => sha256 ?? []))].slice(-maxBeside);
  return apps.length === 0 ? {} : { part_of: apps.join() };
}

async function send(upload: QueuedUpload): Promise<void> {
  upload.state = 'uploading';
  announce();
  try {
    const query = { name: upload.file.name, ...companyOf(upload) };
    const { status, record } = await uploadFile('POST /uploads/', query, upload.file, {
      onProgress: (fraction) => {
        upload.progress = fraction;
        if (fraction >= 1) upload.state = 'checking';
        announce();
      },
      signal: upload.abort.signal,
    });
    upload.state = status === 201 ? 'added' : 'held';
    upload.sha256 = record.sha256;
    upload.app = record.app;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') upload.state = 'cancelled';
    else {
      upload.state = 'refused';
      upload.reason =
        error instanceof OfflineError
          ? uploadsTexts.unreachable
          : error instanceof Error
            ? error.message
            : String(error);
    }
  }
}

function pump(): void {
  while (active < concurrency && nextWaiting < uploads.length) {
    const upload = uploads[nextWaiting]!;
    // A split is sent when its base is there.
    if (besides(upload).some(({ state }) => ['waiting', 'uploading', 'checking'].includes(state))) return;
    nextWaiting += 1;
    if (upload.state !== 'waiting') continue;
    active += 1;
    void send(upload).finally(() => {
      active -= 1;
      announce();
      pump();
    });
  }
}

/** Puts files at the end of the queue and starts sending. */
export function enqueueUploads(files: readonly { file: File; name: string }[]): void {
  for (const { file, name } of basesFirst(files, (one) => one.name)) {
    uploads.push({
      id: nextId++,
      name,
      size: file.size,
      state: 'waiting',
      progress: 0,
      reason: '',
      sha256: null,
      app: null,
      file,
      abort: new AbortController(),
    });
  }
  useUploads.setState({ isOpen: true });
  announce();
  pump();
}

export function countLeftAside(count: number): void {
  leftAside += count;
  if (count > 0) useUploads.setState({ isOpen: true });
  announce();
}

/** The uploads in the order of arrival; read again after `version` changed. */
export const listUploads = (): readonly Upload[] => uploads;

export function cancelUpload(id: number): void {
  const upload = uploads.find((candidate) => candidate.id === id);
  if (upload === undefined) return;
  if (upload.state === 'waiting') upload.state = 'cancelled';
  else upload.abort.abort();
  announce();
}

export function cancelAllUploads(): void {
  for (const upload of uploads) {
    if (upload.state === 'waiting') upload.state = 'cancelled';
    else if (upload.state === 'uploading') upload.abort.abort();
  }
  announce();
}

function findFirstWaiting(): void {
  const first = uploads.findIndex((upload) => upload.state === 'waiting');
  nextWaiting = first === -1 ? uploads.length : first;
}

/** Sends refused and cancelled files again: one of them, or all. */
export function retryUploads(id?: number): void {
  const again = uploads.filter(
    (upload) => (id === undefined || upload.id === id) && (upload.state === 'refused' || upload.state === 'cancelled'),
  );
  const retried = new Set(again);
  uploads = uploads.filter((upload) => !retried.has(upload));
  findFirstWaiting();
  enqueueUploads(again);
}

/** What was refused, a line for each: file, tab, reason. */
export const refusedList = (): string =>
  uploads.flatMap(({ state, name, reason }) => (state === 'refused' ? `${name}\t${reason}\n` : [])).join('');

/** Takes everything that is finished off the list. */
export function clearFinishedUploads(): void {
  uploads = uploads.filter(({ state }) => state === 'waiting' || state === 'uploading' || state === 'checking');
  findFirstWaiting();
  leftAside = 0;
  announce();
}

// A closed window would cut off what is being sent: the browser asks first.
window.addEventListener('beforeunload', (event) => {
  const { active, waiting } = summarise();
  if (active + waiting > 0) event.preventDefault();
});
