// Fields of the workstation's settings with one button to save them. Knows no setting by name.
import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { exactSize, exactTime, readSize, readTime } from '../../../server/contract/quantity.ts';
import type { SettingName, Settings } from '../../../server/contract/workstation/settings.ts';
import { useSettingChange, useSettings } from '../../api/administration-queries.ts';
import { ApiError } from '../../api/client.ts';
import { FormEnd } from '../../components/form/form-end.tsx';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { QueryState } from '../../components/page/state-panel.tsx';
import { texts } from '../../texts.ts';
import { administrationTexts as words } from './texts.ts';

type Named = keyof typeof words.settings;

export interface SettingField {
  name: Named & SettingName;
  /** `bytes`, `seconds`, `minutes`, `days`: a number of them, shown and typed with the unit that somebody likes. */
  kind: 'switch' | 'text' | 'number' | 'secret' | 'choice' | Quantity;
  choices?: Readonly<Record<string, string>>;
  placeholder?: string;
}

type Draft = Partial<Record<SettingName, string | number | boolean>>;

const unitSeconds = { seconds: 1, minutes: 60, days: 86_400 } as const;
type Quantity = 'bytes' | keyof typeof unitSeconds;

const isQuantity = (kind: SettingField['kind']): kind is Quantity => kind === 'bytes' || kind in unitSeconds;

const written = (kind: Quantity, amount: number): string =>
  kind === 'bytes' ? exactSize(amount) : exactTime(amount * unitSeconds[kind]);

const read = (kind: Quantity, text: string): number | null => {
  if (kind === 'bytes') return readSize(text);
  const seconds = readTime(text, unitSeconds[kind]);
  return seconds === null ? null : seconds / unitSeconds[kind];
};

/** What is typed as the server takes it; what is no quantity stays as it is, for the server to refuse. */
function changesOf(draft: Draft, fields: readonly SettingField[]): Draft {
  const changes = { ...draft };
  for (const { name, kind } of fields) {
    const typed = draft[name];
    if (isQuantity(kind) && typed !== undefined) changes[name] = read(kind, String(typed)) ?? typed;
  }
  return changes;
}

export function SettingForm({ fields }: { fields: readonly SettingField[] }) {
  const settings = useSettings();
  if (!settings.isSuccess) return <QueryState query={settings} />;
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
      onSubmit={submitting(() =>
        change.mutate(changesOf(draft, fields) as never, {
          onSuccess: () => {
            setDraft({});
            notifications.show({ message: texts.savedNotice });
          },
        }),
      )}
    >
      {fields.map(({ name, kind, choices = {}, placeholder }) => {
        const note = words.settingNotes[name];
        const common = {
          label: words.settings[name],
          error: errors[name]?.join(' ') ?? null,
          ...(note === undefined ? {} : { description: note }),
        };
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
            value={
              isQuantity(kind) && draft[name] === undefined ? written(kind, Number(shown(name))) : String(shown(name))
            }
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
