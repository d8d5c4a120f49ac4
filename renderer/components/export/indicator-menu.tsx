// A menu that saves the indicators of some APKs for other programs, and the report for people where there is one. Knows no APK.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type IndicatorFormat, indicatorFormats } from '../../../server/contract/catalogue/indicator-export.ts';
import { askBytes } from '../../api/client.ts';
import { saveFile } from '../file/save-file.ts';
import { tellError } from '../form/tell-error.ts';
import { Icon } from '../picture/icon.tsx';
import { exportTexts as words } from './texts.ts';

/** Whose indicators. */
export type IndicatorSelection =
  | { apk: string }
  | { search: string }
  | { family: string }
  | { case: string }
  | { ruleset: string }
  | { retrohunt: string };

/** What there is a report for people about. */
type PageSubject = Exclude<IndicatorSelection, { ruleset: string } | { retrohunt: string }>;

const extensions: Readonly<Record<IndicatorFormat, string>> = {
  csv: 'csv',
  json: 'json',
  stix: 'stix.json',
  misp: 'misp.json',
};

interface Wanted {
  format: IndicatorFormat;
  isDefanged: boolean;
}

const choices: readonly (Wanted & { label: string })[] = [
  ...indicatorFormats.map((format) => ({ format, isDefanged: false, label: words.labels[format] })),
  ...(['csv', 'json'] as const).map((format) => ({ format, isDefanged: true, label: words.defanged[format] })),
];

interface IndicatorMenuProps {
  of: IndicatorSelection;
  /** Of the file, without what tells its format; made here, never by an APK's author. */
  fileName: string;
  /** Of a button among small ones, or a picture alone. */
  look?: 'button' | 'compact' | 'icon';
}

export function IndicatorMenu({ of: selection, fileName, look = 'button' }: IndicatorMenuProps) {
  const page = useMutation({
    mutationFn: async (of: PageSubject) => {
      const { bytes, type } =
        'apk' in of
          ? await askBytes('GET /apks/<sha256>/page/', { sha256: of.apk })
          : await askBytes('GET /pages/', { query: of });
      saveFile(
        [bytes],
        `${'apk' in of ? of.apk.slice(0, 12) : fileName.replace(/_?indicators$/, '') || 'search'}_report.html`,
        type,
      );
    },
  });
  const saving = useMutation({
    mutationFn: async ({ format, isDefanged }: Wanted) => {
      const query = { format, ...selection, ...(isDefanged ? { defanged: 'true' as const } : {}) };
      const { bytes, type } = await askBytes('GET /indicators/', { query });
      saveFile([bytes], `${fileName}.${isDefanged ? 'defanged.' : ''}${extensions[format]}`, type);
    },
  });
  const subject = 'ruleset' in selection || 'retrohunt' in selection ? null : selection;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {look === 'icon' ? (
          <Tooltip label={words.hint}>
            <ActionIcon variant="default" aria-label={words.export} loading={saving.isPending || page.isPending}>
              <Icon name="uses" />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Button
            variant="default"
            {...(look === 'compact' ? { size: 'compact-sm' } : {})}
            title={words.hint}
            loading={saving.isPending || page.isPending}
          >
            {words.export}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {subject !== null && (
          <Menu.Item onClick={() => page.mutate(subject, { onError: tellError })}>{words.page}</Menu.Item>
        )}
        {choices.map(({ label, ...wanted }) => (
          <Menu.Item key={label} onClick={() => saving.mutate(wanted, { onError: tellError })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
