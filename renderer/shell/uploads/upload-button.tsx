// Picks APKs or a folder to be kept, or a file to be asked about, by a file dialog. Knows nothing of uploading.
import { Button, Menu } from '@mantine/core';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/queries.ts';
import { Icon } from '../../components/picture/icon.tsx';
import { askAbout } from '../../pages/like/asked-file.ts';
import { readPicked } from './dropped-files.ts';
import { uploadsTexts } from './texts.ts';
import { countLeftAside, enqueueUploads } from './upload-queue.ts';

export function UploadButton() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const asked = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const may = useMay();
  const take = (input: HTMLInputElement) => {
    const picked = [...(input.files ?? [])];
    // The same file may be picked again.
    input.value = '';
    void readPicked(picked, { onFiles: enqueueUploads, onLeftAside: countLeftAside });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button leftSection={<Icon name="upload" size={14} />}>{uploadsTexts.add}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="file" />} onClick={() => files.current?.click()}>
            {uploadsTexts.pickFiles}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="folder" />} onClick={() => folder.current?.click()}>
            {uploadsTexts.pickFolder}
          </Menu.Item>
          {may('folders.watch') && (
            <Menu.Item leftSection={<Icon name="folder" />} onClick={() => void navigate('/administration/imports')}>
              {uploadsTexts.pickPath}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="similar" />} onClick={() => asked.current?.click()}>
            {uploadsTexts.pickAsked}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        data-testid="pick-files"
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        data-testid="pick-folder"
        {...{ webkitdirectory: '' }}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={asked}
        type="file"
        hidden
        data-testid="pick-asked"
        onChange={({ currentTarget: input }) => {
          const file = input.files?.[0];
          input.value = '';
          if (file === undefined) return;
          void askAbout(file);
          void navigate('/like');
        }}
      />
    </>
  );
}
