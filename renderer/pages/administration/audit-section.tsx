// The audit log, newest first, and its export.
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type AuditFilter, useAudit } from '../../api/administration-queries.ts';
import { askBytes } from '../../api/client.ts';
import { SaveButton } from '../../components/file/save-button.tsx';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { MoreButton } from '../../components/table/more-button.tsx';
import { Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

const everything: AuditFilter = { username: '', action: '', from: '', to: '' };

export function AuditSection() {
  const [filter, setFilter] = useState(everything);
  const [asked] = useDebouncedValue(filter, 250);
  const field = (name: keyof AuditFilter) => ({
    label: words.auditFilter[name],
    value: filter[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFilter((known) => ({ ...known, [name]: value }));
    },
  });
  const exportLog = async () => [(await askBytes('GET /audit/export/', { query: { format: 'csv', ...filter } })).bytes];
  const audit = useAudit(asked);
  const records = audit.data?.items ?? [];
  return (
    <>
      <Group title={words.sections.audit} note={words.auditNote}>
        <div className={styles.fields}>
          <div className={styles.pair}>
            <TextInput {...field('username')} />
            <TextInput {...field('action')} />
            <TextInput type="date" {...field('from')} />
            <TextInput type="date" {...field('to')} />
            <SaveButton label={words.export} fileName="audit.csv" type="text/csv" fetchParts={exportLog} />
          </div>
        </div>
        <QueryState query={audit} />
        {audit.isSuccess && records.length === 0 && <p className={styles.empty}>{words.noAudit}</p>}
        {records.length > 0 && (
          <Table columns={Object.values(words.auditColumns)}>
            {records.map((record) => (
              <tr key={record.id} data-testid="audit-record">
                <td className="tabular unbroken">
                  {formatFull(record.at)}
                  {record.count > 1 && (
                    <div className={styles.aside}>{words.times(record.count, formatFull(record.last_at))}</div>
                  )}
                </td>
                <td className={styles.who}>
                  <HostileText value={record.username} max={60} isFixed />
                </td>
                <td className="tabular">{record.address}</td>
                <td>
                  <span title={record.action}>{record.words}</span>
                </td>
                <td>
                  <HostileText value={record.subject} max={70} mono isFixed />
                </td>
                <td>
                  <Chip tone={record.status < 400 ? 'quiet' : 'high'}>{record.status}</Chip>
                </td>
              </tr>
            ))}
          </Table>
        )}
        <MoreButton list={audit} />
      </Group>
      <SettingForm fields={[{ name: 'audit_days', kind: 'days' }]} />
    </>
  );
}
