// A menu that saves the indicators of some APKs for other programs, and the report for people where there is one. Knows no APK.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { groupSections, pageSections } from '../../../server/contract/catalogue/apk-page.ts';
import { type IndicatorFormat, indicatorFormats } from '../../../server/contract/catalogue/indicator-export.ts';
import { askBytes } from '../../api/client.ts';
import { saveFile } from '../file/save-file.ts';
import { tellError } from '../form/tell-error.ts';
import { Icon } from '../picture/icon.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { reportTexts, exportTexts as words } from './texts.ts';

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

/** Only a case has entries. */
const sectionsOf = (subject: PageSubject): readonly string[] =>
  groupSections.filter((name) => name !== 'entries' || 'case' in subject);

interface IndicatorMenuProps {
  of: IndicatorSelection;
  /** Of the file, without what tells its format; made here, never by an APK's author. */
  fileName: string;
  /** Of a button among small ones, or a picture alone. */
  look?: 'button' | 'compact' | 'icon';
}

export function IndicatorMenu({ of: selection, fileName, look = 'button' }: IndicatorMenuProps) {
  const [isReportOpen, report] = useDisclosure(false);
  const saving = useMutation({
    mutationFn: async ({ format, isDefanged }: Wanted) => {
      const query = { format, ...selection, ...(isDefanged ? { defanged: 'true' as const } : {}) };
      const { bytes, type } = await askBytes('GET /indicators/', { query });
      saveFile([bytes], `${fileName}.${isDefanged ? 'defanged.' : ''}${extensions[format]}`, type);
    },
  });
  const subject = 'ruleset' in selection || 'retrohunt' in selection ? null : selection;
  const name = 'apk' in selection ? selection.apk.slice(0, 12) : fileName.replace(/_?indicators$/, '') || 'search';
  const menu = (
    <Menu position="bottom-end">
      <Menu.Target>
        {look === 'icon' ? (
          <Tooltip label={words.hint}>
            <ActionIcon variant="default" aria-label={words.export} loading={saving.isPending}>
              <Icon name="uses" />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Button
            variant="default"
            {...(look === 'compact' ? { size: 'compact-sm' } : {})}
            title={words.hint}
            loading={saving.isPending}
          >
            {words.export}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {subject !== null && <Menu.Item onClick={report.open}>{words.page}</Menu.Item>}
        {choices.map(({ label, ...wanted }) => (
          <Menu.Item key={label} onClick={() => saving.mutate(wanted, { onError: tellError })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
  if (subject === null) return menu;
  return (
    <>
      {menu}
      <ReportDialog
        sections={'apk' in subject ? pageSections : sectionsOf(subject)}
        names={reportTexts.names}
        fileName={name}
        ask={(query) =>
          'apk' in subject
            ? askBytes('GET /apks/<sha256>/page/', { sha256: subject.apk, query })
            : askBytes('GET /pages/', { query: { ...subject, ...query } })
        }
        isOpen={isReportOpen}
        onClose={report.close}
      />
    </>
  );
}
