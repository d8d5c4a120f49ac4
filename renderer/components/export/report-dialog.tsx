// A dialog that saves a report for people: its sections, who may read it, and as which kind of file. Knows nothing of what the
// report is about.
import { Button, Checkbox, Modal, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type PageFormat, pageFormats, type TlpMark, tlpMarks } from '../../../server/contract/catalogue/apk-page.ts';
import { saveFile } from '../file/save-file.ts';
import { tellError } from '../form/tell-error.ts';
import styles from './report-dialog.module.css';
import { reportTexts as words } from './texts.ts';

/** What was chosen, as the API asks for it. */
export interface ReportQuery {
  format: PageFormat;
  tlp?: TlpMark;
  sections?: string;
}

interface ReportDialogProps {
  /** In the report's order. */
  sections: readonly string[];
  names: Readonly<Record<string, string>>;
  /** Of the file, without `_report` and what tells its kind; made here, never by an APK's author. */
  fileName: string;
  ask: (query: ReportQuery) => Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }>;
  isOpen: boolean;
  onClose: () => void;
}

export function ReportDialog({ sections, names, fileName, ask, isOpen, onClose }: ReportDialogProps) {
  const [chosen, setChosen] = useState<string[]>([...sections]);
  const [tlp, setTlp] = useState<TlpMark | ''>('');
  const [format, setFormat] = useState<PageFormat>('html');
  const saving = useMutation({
    mutationFn: async () => {
      const isAll = chosen.length === sections.length;
      const { bytes, type } = await ask({
        format,
        ...(tlp !== '' && { tlp }),
        ...(!isAll && { sections: sections.filter((name) => chosen.includes(name)).join(',') }),
      });
      saveFile([bytes], `${fileName}_report.${format}`, type);
    },
    onSuccess: onClose,
    onError: tellError,
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Checkbox.Group label={words.sections} value={chosen} onChange={setChosen}>
          <div className={styles.sections}>
            {sections.map((name) => (
              <Checkbox key={name} value={name} label={names[name]} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect
          label={words.tlp}
          description={words.tlpNote}
          value={tlp}
          onChange={(event) => setTlp(event.currentTarget.value as TlpMark | '')}
          data={[
            { value: '', label: words.noTlp },
            ...tlpMarks.map((mark) => ({ value: mark, label: `TLP:${mark.toUpperCase()}` })),
          ]}
        />
        <NativeSelect
          label={words.format}
          description={format === 'pdf' ? words.pdfNote : words.htmlNote}
          value={format}
          onChange={(event) => setFormat(event.currentTarget.value as PageFormat)}
          data={pageFormats.map((value) => ({ value, label: value.toUpperCase() }))}
        />
        <Button type="submit" loading={saving.isPending} disabled={chosen.length === 0}>
          {words.save}
        </Button>
      </form>
    </Modal>
  );
}
