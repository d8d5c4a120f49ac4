// The public profile: picture, name, occupation.
import { Button, FileButton, Textarea, TextInput } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Account } from '../../../server/contract/people/account.ts';
import { useAccountUpdate, useAvatarRemoval } from '../../api/people-queries.ts';
import { useMay, useRenaming } from '../../api/queries.ts';
import { FormEnd } from '../../components/form/form-end.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { texts } from '../../texts.ts';
import { Avatar } from '../analysts/avatar.tsx';
import { loginTexts } from '../login/texts.ts';
import { accountTexts as words } from './texts.ts';

export function ProfileSection({ account }: { account: Account }) {
  return (
    <>
      <PictureGroup account={account} />
      <NameGroup account={account} />
    </>
  );
}

const saved = () => notifications.show({ message: texts.savedNotice });

function PictureGroup({ account }: { account: Account }) {
  const update = useAccountUpdate();
  const removal = useAvatarRemoval();
  const choosePicture = async (file: File) => {
    try {
      update.mutate({ profile: { avatar: await dataUrlOf(file) } }, { onSuccess: saved, onError: tellError });
    } catch (error) {
      tellError(error as Error);
    }
  };
  return (
    <Group title={words.avatar} note={words.avatarNote}>
      <div className={styles.actions}>
        <Avatar url={account.profile.avatar} name={account.username} size={64} />
        <FileButton
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={(file) => file !== null && void choosePicture(file)}
        >
          {(props) => (
            <Button variant="default" loading={update.isPending} {...props}>
              {words.choosePicture}
            </Button>
          )}
        </FileButton>
        {account.profile.avatar !== '' && (
          <Button variant="subtle" color="gray" onClick={() => removal.mutate()}>
            {words.removePicture}
          </Button>
        )}
      </div>
    </Group>
  );
}

function NameGroup({ account }: { account: Account }) {
  const update = useAccountUpdate();
  const renaming = useRenaming();
  const may = useMay();
  const [username, setUsername] = useInputState(account.username);
  const [fields, setFields] = useState({
    first_name: account.first_name,
    last_name: account.last_name,
    email: account.email,
    occupation: account.profile.occupation,
    biography: account.profile.biography,
    twitter: account.profile.twitter,
  });
  const set = (name: keyof typeof fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setFields((known) => ({ ...known, [name]: value }));
  };
  const save = () => {
    const { first_name, last_name, email, ...profile } = fields;
    const saveProfile = () => update.mutate({ first_name, last_name, email, profile }, { onSuccess: saved });
    if (username === account.username) saveProfile();
    else renaming.mutate(username, { onSuccess: saveProfile });
  };
  return (
    <Group title={account.username}>
      <form className={styles.fields} onSubmit={submitting(save)}>
        {may('account.rename') && (
          <TextInput
            label={loginTexts.username}
            description={words.usernameNote}
            value={username}
            onChange={setUsername}
            maxLength={150}
            required
          />
        )}
        <div className={styles.pair}>
          <TextInput label={words.firstName} value={fields.first_name} onChange={set('first_name')} maxLength={150} />
          <TextInput label={words.lastName} value={fields.last_name} onChange={set('last_name')} maxLength={150} />
        </div>
        <TextInput label={words.email} type="email" value={fields.email} onChange={set('email')} />
        <TextInput label={words.occupation} value={fields.occupation} onChange={set('occupation')} maxLength={200} />
        <TextInput label={words.twitter} value={fields.twitter} onChange={set('twitter')} maxLength={100} />
        <Textarea
          label={words.biography}
          value={fields.biography}
          onChange={set('biography')}
          autosize
          minRows={3}
          maxLength={10_000}
        />
        <FormEnd error={renaming.error ?? update.error} isPending={renaming.isPending || update.isPending} />
      </form>
    </Group>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(words.choosePicture));
    reader.readAsDataURL(file);
  });
}
