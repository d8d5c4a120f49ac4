// The table of limits, by name and group.
import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLimitChange, useLimits } from '../../api/administration-queries.ts';
import { FormEnd } from '../../components/form/form-end.tsx';
import { submitting } from '../../components/form/submitting.ts';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { Table } from '../../components/table/table.tsx';
import { texts } from '../../texts.ts';
import { limitNamesTexts } from '../account/texts.ts';
import { administrationTexts as words } from './texts.ts';

export function LimitsSection() {
  const limits = useLimits();
  const change = useLimitChange();
  const [draft, setDraft] = useState<Record<string, Record<string, string>>>({});
  if (!limits.isSuccess) return <QueryState query={limits} />;
  const table = limits.data as Record<string, Record<string, string>>;
  const groups = Object.keys(table);
  const names = [...new Set(Object.values(table).flatMap(Object.keys))];
  const set = (group: string, name: string, value: string) =>
    setDraft((known) => ({ ...known, [group]: { ...known[group], [name]: value } }));
  return (
    <Group title={words.sections.limits} note={words.limitsNote}>
      <form
        onSubmit={submitting(() =>
          change.mutate(draft, {
            onSuccess: () => {
              setDraft({});
              notifications.show({ message: texts.savedNotice });
            },
          }),
        )}
      >
        <Table columns={[words.limit, ...groups]}>
          {names.map((name) => (
            <tr key={name}>
              <td>{limitNamesTexts[name] ?? name}</td>
              {groups.map((group) => (
                <td key={group}>
                  <TextInput
                    size="xs"
                    miw={88}
                    styles={{ input: { paddingInline: 6 } }}
                    aria-label={words.limitOf(group, limitNamesTexts[name] ?? name)}
                    value={draft[group]?.[name] ?? table[group]?.[name] ?? ''}
                    onChange={(event) => set(group, name, event.currentTarget.value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </Table>
        <FormEnd error={change.error} isPending={change.isPending} isChanged={Object.keys(draft).length > 0} />
      </form>
    </Group>
  );
}
