// A dialog that adds APKs to a case that is there, or to a new one. Knows which APKs, not how they were chosen.
import { Button, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue, useInputState } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { Case } from '../../../server/contract/catalogue/case.ts';
import { useAddToCase, useCases, useCreateCase } from '../../api/case-queries.ts';
import { QueryState } from '../page/state-panel.tsx';
import { visibleString } from '../text/hostile-text.tsx';
import styles from './case.module.css';
import { addToCaseTexts as words } from './texts.ts';

interface AddToCaseProps {
  /** Either these, or those that a search finds. */
  of: { apks: string[] } | { search: string };
  isOpen: boolean;
  onClose: () => void;
}

/** Milliseconds without a key after which is looked. */
const pause = 200;

export function AddToCase({ of: source, isOpen, onClose }: AddToCaseProps) {
  const [name, setName] = useInputState('');
  const [asked] = useDebouncedValue(name.trim(), pause);
  const cases = useCases(asked, false, 1, isOpen);
  const create = useCreateCase();
  const add = useAddToCase();
  const addTo = ({ id, name: called }: Case) =>
    add.mutate(
      { id, body: source },
      {
        onSuccess: ({ added }) => {
          onClose();
          notifications.show({
            message: (
              <>
                {/* Notifications stand outside of the pages' router. */}
                {words.added(added, visibleString(called, 80))} <a href={`#/cases/${id}`}>{words.open}</a>
              </>
            ),
          });
        },
      },
    );
  const wanted = name.trim();
  const found = cases.data?.results ?? [];
  const isNew = wanted !== '' && !found.some((one) => one.name.toLowerCase() === wanted.toLowerCase());
  return (
    <Modal opened={isOpen} onClose={onClose} title={words.title}>
      <TextInput label={words.find} maxLength={100} data-autofocus value={name} onChange={setName} />
      <QueryState query={cases} />
      {cases.isSuccess && found.length === 0 && <p>{words.none}</p>}
      <ul className={styles.choices}>
        {found.map((one) => (
          <li key={one.id}>
            <Button
              variant="default"
              size="compact-md"
              loading={add.isPending && add.variables.id === one.id}
              onClick={() => addTo(one)}
            >
              {words.addTo(visibleString(one.name, 80))}
            </Button>
          </li>
        ))}
        {isNew && (
          <li>
            <Button
              size="compact-md"
              loading={create.isPending}
              onClick={() => create.mutate({ name: wanted, note: '' }, { onSuccess: addTo })}
            >
              {words.create(visibleString(wanted, 80))}
            </Button>
          </li>
        )}
      </ul>
    </Modal>
  );
}
