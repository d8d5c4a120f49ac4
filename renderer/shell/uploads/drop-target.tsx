// Takes files and folders that are dropped anywhere on the window, to be kept or to be asked about. Knows nothing of uploading.

import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Icon } from '../../components/picture/icon.tsx';
import { askAbout } from '../../pages/like/asked-file.ts';
import { likeTexts } from '../../pages/like/texts.ts';
import styles from '../shell.module.css';
import { type FileSink, readDrop } from './dropped-files.ts';
import { uploadsTexts } from './texts.ts';
import { countLeftAside, enqueueUploads } from './upload-queue.ts';

const keeping: FileSink = { onFiles: enqueueUploads, onLeftAside: countLeftAside };

/** Of what was dropped the first file alone. */
function firstTo(take: (file: File) => void): FileSink {
  let isTaken = false;
  return {
    onFiles: ([first]) => {
      if (first !== undefined && !isTaken) take(first.file);
      isTaken = true;
    },
    onLeftAside: () => undefined,
  };
}

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

export function DropTarget({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const [isOver, setOver] = useState(false);
  /** A child's `dragenter` comes before its parent's `dragleave`: only their difference says whether the pointer is outside. */
  const depth = useRef(0);
  const ask = (file: File) => {
    void askAbout(file);
    void navigate('/like');
  };
  // A file that misses the handlers below must not replace the application in the window.
  useWindowEvent('dragover', (event) => event.preventDefault());
  useWindowEvent('drop', (event) => event.preventDefault());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has its keyboard counterpart in the upload button
    <div
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        const isAsked = event.target instanceof Element && event.target.closest('[data-ask]') !== null;
        void readDrop(event.dataTransfer, isAsked ? firstTo(ask) : keeping);
      }}
    >
      {children}
      {isOver && (
        <div className={styles.dropVeil}>
          <div className={styles.dropFrame} />
          <div className={styles.dropText}>
            <Icon name="upload" size={32} />
            {uploadsTexts.drop}
            <small>{uploadsTexts.dropHint}</small>
          </div>
          <div className={`${styles.dropText} ${styles.dropAsk}`} data-ask data-testid="drop-ask">
            <Icon name="similar" size={32} />
            {likeTexts.title}
            <small>{uploadsTexts.askHint}</small>
          </div>
        </div>
      )}
    </div>
  );
}
