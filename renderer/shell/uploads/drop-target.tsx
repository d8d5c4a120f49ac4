// Takes files and folders that are dropped anywhere on the window. Knows nothing of uploading.

import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { Icon } from '../../components/picture/icon.tsx';
import styles from '../shell.module.css';
import { readDrop } from './dropped-files.ts';
import { uploadsTexts } from './texts.ts';
import { countLeftAside, enqueueUploads } from './upload-queue.ts';

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

export function DropTarget({ children }: { children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  /** A child's `dragenter` comes before its parent's `dragleave`: only their difference says whether the pointer is outside. */
  const depth = useRef(0);
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
        void readDrop(event.dataTransfer, { onFiles: enqueueUploads, onLeftAside: countLeftAside });
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
        </div>
      )}
    </div>
  );
}
