// The name and the group of an account that is to be made. Knows nothing of how it is made.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import { type ApiGroup, apiGroups } from '../../../server/contract/people/analyst.ts';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { administrationTexts as words } from './texts.ts';

interface NewAccountFormProps {
  action: string;
  isPending: boolean;
  /** @param onSuccess empties the form */
  onSubmit: (account: { username: string; api_group: ApiGroup }, onSuccess: () => void) => void;
}

export function NewAccountForm({ action, isPending, onSubmit }: NewAccountFormProps) {
  const [username, setUsername] = useInputState('');
  const [group, setGroup] = useState<ApiGroup>('basic');
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => onSubmit({ username, api_group: group }, () => setUsername('')))}
    >
      <div className={styles.pair}>
        <TextInput label={words.newName} value={username} required maxLength={150} onChange={setUsername} />
        <NativeSelect
          label={words.group}
          value={group}
          data={[...apiGroups]}
          onChange={(event) => setGroup(event.currentTarget.value as ApiGroup)}
        />
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
