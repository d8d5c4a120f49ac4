// What one is told of, in the window and by e-mail.
import { Switch } from '@mantine/core';
import type { Account } from '../../../server/contract/people/account.ts';
import { useAccountUpdate } from '../../api/people-queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { accountTexts as words } from './texts.ts';

const noticeNames = Object.keys(words.settings) as (keyof typeof words.settings)[];

export function NoticesSection({ account }: { account: Account }) {
  const update = useAccountUpdate();
  const group = (title: string, prefix: string, note?: string) => (
    <Group title={title} {...(note === undefined ? {} : { note })}>
      <div className={styles.fields}>
        {noticeNames
          .filter((name) => name.startsWith(prefix))
          .map((name) => (
            <Switch
              key={name}
              label={words.settings[name]}
              checked={account.settings[name]}
              onChange={(event) =>
                update.mutate({ settings: { [name]: event.currentTarget.checked } }, { onError: tellError })
              }
            />
          ))}
      </div>
    </Group>
  );
  return (
    <>
      {group(words.noticesTitle, 'notify_')}
      {group(words.emailsTitle, 'email_', words.emailsNote)}
    </>
  );
}
