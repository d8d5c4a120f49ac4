// The dialog that asks for scope and reason of a dismissal. Knows its subject by name alone.

import { Autocomplete, Button, Modal, NativeSelect, Radio, Stack } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { useState } from 'react';
import type { NewDismissal } from '../../../server/contract/catalogue/dismissal.ts';
import { type DismissalScope, dismissalScopes } from '../../../server/contract/findings/dismissed.ts';
import { useDismiss } from '../../api/dismissal-queries.ts';
import { submitting } from '../form/submitting.ts';
import { visibleString } from '../text/hostile-text.tsx';
import { librariesOf } from './parted.ts';
import { ReasonField } from './reason-field.tsx';
import { dismissalTexts as words } from './texts.ts';

export interface DismissDialogProps {
  sha256: string;
  about: Pick<NewDismissal, 'finding' | 'ruleset' | 'rule'>;
  /** As people read it. */
  name: string;
  /** Places of the finding in this APK. */
  places: readonly string[];
  onClose: () => void;
}

/** More are found in the list. */
const maxPlaces = 100;

export function DismissDialog({ sha256, about, name, places, onClose }: DismissDialogProps) {
  const dismiss = useDismiss();
  const [scope, setScope] = useState<DismissalScope>('apk');
  const [where, setWhere] = useInputState('');
  const [library, setLibrary] = useState('');
  const [reason, setReason] = useInputState('');
  const send = () => {
    const order: NewDismissal = { ...about, scope, reason };
    if (scope === 'apk' || scope === 'signer') order.apk = sha256;
    if (scope === 'apk' && where !== '') order.where = where;
    if (scope === 'library') order.library = library;
    dismiss.mutate(order, { onSuccess: onClose });
  };
  const shown = [...new Set(places)].filter((place) => place !== '').slice(0, maxPlaces);
  return (
    <Modal opened onClose={onClose} title={words.title(visibleString(name, 80))} size="lg">
      <form onSubmit={submitting(send)}>
        <Stack gap="sm">
          <span>{words.text}</span>
          <Radio.Group label={words.scope} value={scope} onChange={(value) => setScope(value as DismissalScope)}>
            <Stack gap={6} mt={6}>
              {dismissalScopes.map((one) => (
                <Radio key={one} value={one} label={words.scopes[one]} />
              ))}
            </Stack>
          </Radio.Group>
          {scope === 'apk' && shown.length > 0 && (
            <NativeSelect
              label={words.place}
              value={where}
              onChange={setWhere}
              data={[
                { value: '', label: words.allPlaces },
                ...shown.map((place) => ({ value: place, label: visibleString(place, 160) })),
              ]}
            />
          )}
          {scope === 'library' && (
            <Autocomplete
              label={words.library}
              description={words.libraryHint}
              required
              data={librariesOf(places)}
              value={library}
              onChange={setLibrary}
            />
          )}
          <ReasonField value={reason} onChange={setReason} />
          {dismiss.error !== null && <span role="alert">{dismiss.error.message}</span>}
          <Button type="submit" loading={dismiss.isPending} style={{ justifySelf: 'start', alignSelf: 'start' }}>
            {words.dismissNow}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
