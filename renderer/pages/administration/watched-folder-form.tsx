// The form in which a watched folder is chosen, or changed. Knows nothing of its files.
import { Button, MultiSelect, NativeSelect, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type {
  FolderOutcome,
  FolderPriority,
  NewWatchedFolder,
} from '../../../server/contract/workstation/watched-folder.ts';
import { useNewWatchedFolder, useWatchedFolderChange } from '../../api/administration-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import { useRulesets } from '../../api/ruleset-queries.ts';
import { FormFault, fieldFaults } from '../../components/form/form-fault.tsx';
import { submitting } from '../../components/form/submitting.ts';
import styles from '../../components/page/section-page.module.css';
import { visibleString } from '../../components/text/hostile-text.tsx';
import { texts } from '../../texts.ts';
import { watchedFoldersTexts as words } from './texts.ts';

export type WatchedFolder = AnswerOf<'GET /watched-folders/'>['results'][number];

const unset = {
  path: '',
  tags: [],
  has_folder_tags: false,
  rulesets: [],
  match_tags: [],
  priority: 'import',
  outcome: 'note',
  settle_seconds: 5,
  uses_polling: false,
  is_on: true,
} satisfies NewWatchedFolder;

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** @param folder null: a new one */
export function WatchedFolderForm({ folder, onDone }: { folder: WatchedFolder | null; onDone: () => void }) {
  const adding = useNewWatchedFolder();
  const changing = useWatchedFolderChange();
  const rulesets = useRulesets({ is_own: true });
  const [draft, setDraft] = useState<NewWatchedFolder>(folder ?? unset);
  const set = (changes: Partial<NewWatchedFolder>) => setDraft((known) => ({ ...known, ...changes }));
  const error = adding.error ?? changing.error;
  const fields = fieldFaults(error);
  const { path, ...chosen } = draft;
  const done = {
    onSuccess: () => {
      setDraft(unset);
      onDone();
    },
  };
  return (
    <form
      className={styles.fields}
      onSubmit={submitting(() => {
        if (folder === null) adding.mutate(draft, done);
        else {
          const {
            tags,
            has_folder_tags,
            rulesets: own,
            match_tags,
            priority,
            outcome,
            settle_seconds,
            uses_polling,
          } = chosen;
          const changes = {
            tags,
            has_folder_tags,
            rulesets: own,
            match_tags,
            priority,
            outcome,
            settle_seconds,
            uses_polling,
          };
          changing.mutate({ id: folder.id, changes }, done);
        }
      })}
    >
      {folder === null && (
        <TextInput
          label={words.path}
          value={path}
          maxLength={4096}
          error={fields.path?.join(' ') ?? null}
          onChange={(event) => set({ path: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label={words.outcome}
        description={words.outcomeNotes[draft.outcome]}
        data={optionsOf(words.outcomes)}
        value={draft.outcome}
        onChange={(event) => set({ outcome: event.currentTarget.value as FolderOutcome })}
      />
      <TagsInput
        label={words.tags}
        placeholder={words.tagsHint}
        value={draft.tags}
        error={fields.tags?.join(' ') ?? null}
        onChange={(tags) => set({ tags })}
      />
      <Switch
        label={words.folderTags}
        checked={draft.has_folder_tags}
        onChange={(event) => set({ has_folder_tags: event.currentTarget.checked })}
      />
      <MultiSelect
        label={words.rulesets}
        description={words.rulesetsNote}
        searchable
        data={(rulesets.data?.items ?? []).map(({ id, name }) => ({ value: id, label: visibleString(name, 80) }))}
        value={draft.rulesets}
        onChange={(own) => set({ rulesets: own })}
      />
      {draft.rulesets.length > 0 && (
        <TagsInput
          label={words.matchTags}
          placeholder={words.tagsHint}
          value={draft.match_tags}
          error={fields.match_tags?.join(' ') ?? null}
          onChange={(tags) => set({ match_tags: tags })}
        />
      )}
      <div className={styles.pair}>
        <NativeSelect
          label={words.priority}
          data={optionsOf(words.priorities)}
          value={draft.priority}
          onChange={(event) => set({ priority: event.currentTarget.value as FolderPriority })}
        />
        <TextInput
          label={words.settle}
          inputMode="numeric"
          value={draft.settle_seconds}
          error={fields.settle_seconds?.join(' ') ?? null}
          onChange={(event) => set({ settle_seconds: Number(event.currentTarget.value.replace(/\D/g, '')) })}
        />
      </div>
      <Switch
        label={words.polling}
        description={words.pollingNote}
        checked={draft.uses_polling}
        onChange={(event) => set({ uses_polling: event.currentTarget.checked })}
      />
      <FormFault error={error} />
      <div className={styles.inline}>
        <Button type="submit" disabled={path === ''} loading={adding.isPending || changing.isPending}>
          {folder === null ? words.watch : texts.save}
        </Button>
        {folder !== null && (
          <Button variant="default" onClick={onDone}>
            {words.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
