// The list of uploads with their progress. Knows the queue, not how it sends.
import { ActionIcon, Button } from '@mantine/core';
import { memo, useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { saveFile } from '../../components/file/save-file.ts';
import { Icon } from '../../components/picture/icon.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { VirtualRows } from '../../components/table/virtual-rows.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { formatSize, percent } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from '../shell.module.css';
import { shellTexts } from '../texts.ts';
import { uploadsTexts } from './texts.ts';
import {
  cancelAllUploads,
  cancelUpload,
  clearFinishedUploads,
  listUploads,
  refusedList,
  retryUploads,
  type Upload,
  type UploadState,
  useUploads,
} from './upload-queue.ts';

const tones: Record<UploadState, Tone> = {
  waiting: 'quiet',
  uploading: 'info',
  checking: 'info',
  added: 'good',
  held: 'quiet',
  refused: 'high',
  cancelled: 'quiet',
};

function noteOf(upload: Upload): string {
  if (upload.state === 'refused') return upload.reason;
  if (upload.app !== null && upload.app !== '') return `${formatSize(upload.size)} · ${upload.app}`;
  return formatSize(upload.size);
}

/** `version` is there to draw a row again whose upload was changed in place. */
const UploadRow = memo(function UploadRow({ upload }: { upload: Upload; version: number }) {
  const { state } = upload;
  const isOver = state === 'refused' || state === 'cancelled';
  const isRunning = state === 'waiting' || state === 'uploading' || state === 'checking';
  const label = state === 'uploading' ? percent(upload.progress) : uploadsTexts.states[state];
  return (
    <div className={styles.uploadRow} data-testid="upload" data-state={state}>
      <div className={styles.uploadName}>
        {upload.sha256 === null ? (
          <HostileText value={upload.name} isLtr isFixed />
        ) : (
          <Link to={`/apks/${upload.sha256}`}>
            <HostileText value={upload.name} isLtr isFixed />
          </Link>
        )}
      </div>
      <Chip tone={tones[state]}>{label}</Chip>
      <div className={styles.uploadNote} title={state === 'refused' ? visibleString(upload.reason) : undefined}>
        {state === 'uploading' ? (
          <ProgressBar share={upload.progress} label={visibleString(upload.name)} />
        ) : (
          <HostileText value={noteOf(upload)} isFixed />
        )}
      </div>
      <div className={styles.uploadActions}>
        {isOver && (
          <ActionIcon aria-label={uploadsTexts.retry} onClick={() => retryUploads(upload.id)}>
            <Icon name="retry" size={14} />
          </ActionIcon>
        )}
        {isRunning && (
          <ActionIcon aria-label={uploadsTexts.cancel} onClick={() => cancelUpload(upload.id)}>
            <Icon name="close" size={14} />
          </ActionIcon>
        )}
      </div>
    </div>
  );
});

export function UploadsPanel() {
  const { isOpen, setOpen, summary, version } = useUploads();
  const { pathname } = useLocation();
  // On navigation a list without failures clears itself; not where an APK is opened, to which the list itself links.
  useEffect(() => {
    if (pathname.startsWith('/apks/')) return;
    const { waiting, active, refused, cancelled } = useUploads.getState().summary;
    if (waiting + active + refused + cancelled === 0) clearFinishedUploads();
  }, [pathname]);
  if (!isOpen || (summary.total === 0 && summary.leftAside === 0)) return null;
  const uploads = listUploads();
  const isRunning = summary.waiting + summary.active > 0;
  return (
    <section className={styles.panel} aria-label={uploadsTexts.title}>
      <div className={styles.panelHead}>
        <h2>{uploadsTexts.title}</h2>
        <span className="tabular">{isRunning ? uploadsTexts.pace(summary) : ''}</span>
        <div className={styles.spacer} />
        {summary.refused > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => saveFile([refusedList()], 'refused.txt', 'text/plain')}
          >
            {uploadsTexts.saveRefused}
          </Button>
        )}
        {summary.refused + summary.cancelled > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => retryUploads()}>
            {uploadsTexts.retryAll}
          </Button>
        )}
        {isRunning ? (
          <Button variant="subtle" size="compact-sm" onClick={cancelAllUploads}>
            {uploadsTexts.cancelAll}
          </Button>
        ) : (
          <Button variant="subtle" size="compact-sm" onClick={clearFinishedUploads}>
            {uploadsTexts.clear}
          </Button>
        )}
        <ActionIcon aria-label={shellTexts.close} onClick={() => setOpen(false)}>
          <Icon name="close" />
        </ActionIcon>
      </div>
      <div style={{ height: Math.min(uploads.length, 8) * 44, display: 'flex', flexShrink: 1, minHeight: 0 }}>
        <VirtualRows count={uploads.length} rowHeight={44} label={uploadsTexts.title}>
          {(index) => {
            const upload = uploads[index];
            return upload === undefined ? null : <UploadRow upload={upload} version={version} />;
          }}
        </VirtualRows>
      </div>
      <div className={styles.panelFoot} role="status" data-testid="upload-summary">
        {uploadsTexts.summary(summary)}
      </div>
    </section>
  );
}
