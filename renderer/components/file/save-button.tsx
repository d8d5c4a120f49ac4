// A button that fetches bytes and saves them. Knows nothing of the bytes.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { texts } from '../../texts.ts';
import { Icon } from '../picture/icon.tsx';
import { saveFile } from './save-file.ts';

interface SaveButtonProps {
  fileName: string;
  fetchParts: () => Promise<BlobPart[]>;
  type?: string;
  label?: string;
}

export function SaveButton({ fileName, fetchParts, type = 'application/octet-stream', label }: SaveButtonProps) {
  const saving = useMutation({ mutationFn: fetchParts, onSuccess: (parts) => saveFile(parts, fileName, type) });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={saving.isPending}
      leftSection={<Icon name="download" size={13} />}
      onClick={() => saving.mutate()}
    >
      {label ?? texts.save}
    </Button>
  );
}
