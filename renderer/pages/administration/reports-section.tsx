// What stands on all reports for people: the owner's logo.
import { Button, FileButton } from '@mantine/core';
import { useSettingChange, useSettings } from '../../api/administration-queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import styles from './reports-section.module.css';
import { administrationTexts as words } from './texts.ts';

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

export function ReportsSection() {
  const settings = useSettings();
  const change = useSettingChange();
  if (!settings.isSuccess) return <QueryState query={settings} />;
  const { report_logo: logo } = settings.data;
  const save = (value: string) => change.mutate({ report_logo: value }, { onError: tellError });
  return (
    <Group title={words.sections.reports} note={words.logoNote}>
      {logo !== '' && <img className={styles.logo} src={logo} alt={words.logo} />}
      <div className={styles.buttons}>
        <FileButton
          accept="image/png,image/jpeg"
          onChange={(file) => {
            if (file !== null) dataUrlOf(file).then(save, tellError);
          }}
        >
          {(props) => (
            <Button variant="default" loading={change.isPending} {...props}>
              {words.chooseLogo}
            </Button>
          )}
        </FileButton>
        {logo !== '' && (
          <Button variant="default" onClick={() => save('')}>
            {words.removeLogo}
          </Button>
        )}
      </div>
    </Group>
  );
}
