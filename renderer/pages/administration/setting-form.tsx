// Fields of the workstation's settings with one button to save them. Knows no setting by name.
import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { SettingName, Settings } from '../../../server/contract/settings.ts';
import { useSettingChange, useSettings } from '../../api/administration-queries.ts';
import { ApiError } from '../../api/client.ts';
import { FormEnd } from '../../components/form-end.tsx';
import styles from '../../components/section-page.module.css';
import { ErrorPanel, LoadingPanel } from '../../components/state-panel.tsx';
import { texts } from '../../texts.ts';

const words = texts.administration;
type Named = keyof typeof words.settings;

export interface SettingField {
  name: Named & SettingName;
  kind: 'switch' | 'text' | 'number' | 'secret' | 'choice';
  choices?: Readonly<Record<string, string>>;
  placeholder?: string;
}

type Draft = Partial<Record<SettingName, string | number | boolean>>;

export function SettingForm({ fields }: { fields: readonly SettingField[] }) {
  const settings = useSettings();
  if (settings.isPending) return <LoadingPanel />;
  if (settings.isError) return <ErrorPanel error={settings.error} onRetry={() => void settings.refetch()} />;
  return <Fields fields={fields} settings={settings.data} />;
}

function Fields({ fields, settings }: { fields: readonly SettingField[]; settings: Settings }) {
  const change = useSettingChange();
  const [draft, setDraft] = useState<Draft>({});
  const shown = (name: SettingName) => draft[name] ?? (settings as Record<string, unknown>)[name] ?? '';
  const set = (name: SettingName, value: string | number | boolean) =>
    setDraft((known) => ({ ...known, [name]: value }));
  const errors = change.error instanceof ApiError ? change.error.fields : {};
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(draft as never, {
          onSuccess: () => {
            setDraft({});
            notifications.show({ message: texts.savedNotice });
          },
        });
      }}
    >
      {fields.map(({ name, kind, choices = {}, placeholder }) => {
        const common = { label: words.settings[name], error: errors[name]?.join(' ') ?? null };
        if (kind === 'switch') {
          return (
            <Switch
              key={name}
              {...common}
              checked={shown(name) === true}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          );
        }
        if (kind === 'choice') {
          return (
            <NativeSelect
              key={name}
              {...common}
              value={String(shown(name))}
              onChange={(event) => set(name, event.currentTarget.value)}
              data={Object.entries(choices).map(([value, label]) => ({ value, label }))}
            />
          );
        }
        if (kind === 'secret') {
          const isSet = (settings as Record<string, unknown>)[`is_${name}_set`] === true;
          return (
            <PasswordInput
              key={name}
              {...common}
              {...(isSet ? { description: words.passwordSet } : {})}
              value={String(draft[name] ?? '')}
              autoComplete="off"
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          );
        }
        return (
          <TextInput
            key={name}
            {...common}
            {...(kind === 'number' ? { inputMode: 'numeric' as const } : {})}
            {...(placeholder === undefined ? {} : { placeholder })}
            value={String(shown(name))}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        );
      })}
      <FormEnd
        error={Object.keys(errors).length === 0 ? change.error : null}
        isPending={change.isPending}
        isChanged={Object.keys(draft).length > 0}
      />
    </form>
  );
}
