// Fields of the workstation's settings with one button to save them. Knows no setting by name.
import { NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
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
  /** `lines`: a list, a line for each. `bytes`, `seconds`, `minutes`, `days`: a number of them, shown and typed with the unit that somebody likes. */
  kind: 'switch' | 'text' | 'lines' | 'number' | 'secret' | 'choice' | Quantity;
  choices?: Readonly<Record<string, string>>;
  placeholder?: string;
}

type Draft = Partial<Record<SettingName, string | number | boolean | string[]>>;

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
    if (kind === 'lines' && typed !== undefined) changes[name] = String(typed).split('\n').filter(Boolean);
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
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          typed={draft[field.name] as string | number | boolean | undefined}
          saved={settings as Record<string, unknown>}
          error={errorOf(field, errors)}
          onChange={(value) => setDraft((known) => ({ ...known, [field.name]: value }))}
        />
      ))}
      <FormEnd
        error={Object.keys(errors).length === 0 ? change.error : null}
        isPending={change.isPending}
        isChanged={Object.keys(draft).length > 0}
      />
    </form>
  );
}

/** What is at fault in a line stands under the line's number, `archive_passwords.0`. */
const errorOf = ({ name }: SettingField, errors: Record<string, readonly string[]>): string | null =>
  Object.entries(errors)
    .find(([field]) => field === name || field.startsWith(`${name}.`))?.[1]
    .join(' ') ?? null;

interface FieldProps {
  field: SettingField;
  typed: string | number | boolean | undefined;
  saved: Record<string, unknown>;
  error: string | null;
  onChange: (value: string | boolean) => void;
}

function Field({ field: { name, kind, choices = {}, placeholder }, typed, saved, error, onChange }: FieldProps) {
  const shown = typed ?? saved[name] ?? '';
  const note = words.settingNotes[name];
  const common = { label: words.settings[name], error, ...(note === undefined ? {} : { description: note }) };
  const setText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (kind === 'switch') {
    return <Switch {...common} checked={shown === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
  }
  if (kind === 'choice') {
    return (
      <NativeSelect
        {...common}
        value={String(shown)}
        onChange={setText}
        data={Object.entries(choices).map(([value, label]) => ({ value, label }))}
      />
    );
  }
  if (kind === 'secret') {
    return (
      <PasswordInput
        {...common}
        {...(saved[`is_${name}_set`] === true ? { description: words.passwordSet } : {})}
        value={String(typed ?? '')}
        autoComplete="off"
        onChange={setText}
      />
    );
  }
  if (kind === 'lines') {
    const text = typed ?? (saved[name] as readonly string[]).join('\n');
    return <Textarea {...common} autosize minRows={1} value={String(text)} onChange={setText} />;
  }
  return (
    <TextInput
      {...common}
      {...(kind === 'number' ? { inputMode: 'numeric' as const } : {})}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={isQuantity(kind) && typed === undefined ? written(kind, Number(shown)) : String(shown)}
      onChange={setText}
    />
  );
}
