// Dialogs that change a family: its name and note, and which other one comes into it. Know one family.
import { Button, Modal, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue, useInputState } from '@mantine/hooks';
import type { FamilyDetail } from '../../../server/contract/catalogue/family.ts';
import { useChangeFamily, useFamilies, useMergeFamily } from '../../api/family-queries.ts';
import { submitting } from '../../components/form/submitting.ts';
import { QueryState } from '../../components/page/state-panel.tsx';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import styles from './families.module.css';
import { FamilyChips } from './family-chips.tsx';
import { familyTexts as words } from './texts.ts';

interface DialogProps {
  family: FamilyDetail;
  isOpen: boolean;
  onClose: () => void;
}

export function RenameDialog({ family, isOpen, onClose }: DialogProps) {
  const change = useChangeFamily(family.id);
  const [name, setName] = useInputState(family.is_named ? family.name : '');
  const [note, setNote] = useInputState(family.note);
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.renameTitle}>
      <form
        className={styles.form}
        onSubmit={submitting(() => change.mutate({ name: name.trim(), note: note.trim() }, { onSuccess: onClose }))}
      >
        <TextInput
          label={words.name}
          description={words.nameHint}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={setName}
        />
        <Textarea
          label={words.note}
          maxLength={2000}
          autosize
          minRows={2}
          maxRows={8}
          value={note}
          onChange={setNote}
        />
        <Button type="submit" loading={change.isPending}>
          {words.save}
        </Button>
      </form>
    </Modal>
  );
}

/** Milliseconds without a key after which is looked. */
const pause = 200;

export function MergeDialog({ family, isOpen, onClose }: DialogProps) {
  const [search, setSearch] = useInputState('');
  const [asked] = useDebouncedValue(search.trim(), pause);
  const families = useFamilies({ search: asked, ordering: '-apks_count', page: 1 }, isOpen);
  const merge = useMergeFamily(family.id);
  const others = (families.data?.results ?? []).filter(({ id }) => id !== family.id);
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.mergeTitle} size="lg">
      <p>{words.mergeHint}</p>
      <TextInput label={words.mergeFind} data-autofocus value={search} onChange={setSearch} />
      <QueryState query={families} />
      {families.isSuccess && others.length === 0 && <p className={styles.soft}>{words.mergeNone}</p>}
      <ul className={styles.others}>
        {others.map((other) => (
          <li key={other.id}>
            <b>
              <HostileText value={other.name} max={80} isFixed />
            </b>
            <FamilyChips family={other} />
            <Button
              size="compact-sm"
              variant="default"
              loading={merge.isPending && merge.variables === other.id}
              aria-label={`${words.mergeInto(other.apks_count)}: ${visibleString(other.name, 80)}`}
              onClick={() => merge.mutate(other.id, { onSuccess: onClose })}
            >
              {words.mergeInto(other.apks_count)}
            </Button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
