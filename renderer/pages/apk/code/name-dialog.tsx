// The dialog that asks what something in code is called, or what there is to say of it. Knows it by its symbol alone.
import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { maxNameLength, maxNoteLength } from '../../../../server/contract/engine/code-names.ts';
import { useCodeName, useSayCodeName } from '../../../api/code-name-queries.ts';
import { submitting } from '../../../components/form/submitting.ts';
import { QueryState } from '../../../components/page/state-panel.tsx';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import { texts } from '../../../texts.ts';
import { codeTexts } from './texts.ts';

/** What is named or noted. */
export interface Named {
  kind: 'name' | 'note';
  symbol: string;
  address: number | null;
}

interface NameDialogProps {
  sha256: string;
  named: Named;
  onClose: () => void;
}

const words = codeTexts.names;

export function NameDialog({ sha256, named, onClose }: NameDialogProps) {
  const before = useCodeName(sha256, named);
  const shown = visibleString(named.symbol, 160);
  return (
    <Modal
      opened
      onClose={onClose}
      title={named.kind === 'name' ? words.rename : words.note}
      size="lg"
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="sm">
        <code style={{ overflowWrap: 'anywhere' }}>
          {shown}
          {named.address !== null && ` @${named.address.toString(16)}`}
        </code>
        {before.data === undefined ? (
          <QueryState query={before} />
        ) : (
          <NameForm
            sha256={sha256}
            named={named}
            before={before.data?.text ?? ''}
            by={before.data?.analyst}
            onClose={onClose}
          />
        )}
      </Stack>
    </Modal>
  );
}

interface NameFormProps extends NameDialogProps {
  /** Empty where nothing was said. */
  before: string;
  by: string | undefined;
}

function NameForm({ sha256, named, before, by, onClose }: NameFormProps) {
  const say = useSayCodeName(sha256);
  const [text, setText] = useState(before);
  const send = (said: string) => say.mutate({ ...named, text: said }, { onSuccess: onClose });
  const error = say.error?.message;
  const field = {
    'data-autofocus': true,
    value: text,
    error,
    description: by === undefined ? undefined : words.saidBy(by),
    onChange: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
  };
  return (
    <form onSubmit={submitting(() => send(text))}>
      <Stack gap="sm">
        {named.kind === 'name' ? (
          <TextInput {...field} label={words.newName} maxLength={maxNameLength} spellCheck={false} />
        ) : (
          <Textarea {...field} label={words.noteText} maxLength={maxNoteLength} autosize minRows={3} maxRows={12} />
        )}
        <Group gap="xs">
          <Button type="submit" loading={say.isPending} disabled={text.trim() === before}>
            {texts.save}
          </Button>
          {before !== '' && (
            <Button variant="default" onClick={() => send('')} disabled={say.isPending}>
              {words.takeBack}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
