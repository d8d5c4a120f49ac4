// The audit log, newest first, and its export.
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAudit } from '../../api/administration-queries.ts';
import { askBytes } from '../../api/client.ts';
import { saveFile } from '../../components/file/save-file.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull } from '../../components/text/format.ts';
import { HostileText } from '../../components/text/hostile-text.tsx';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

async function exportLog(): Promise<void> {
  try {
    const { bytes } = await askBytes('GET /audit/export/', { query: { format: 'csv' } });
    saveFile([bytes], 'audit.csv', 'text/csv');
  } catch (error) {
    tellError(error as Error);
  }
}

export function AuditSection() {
  const [username, setUsername] = useState('');
  const [asked] = useDebouncedValue(username, 250);
  const audit = useAudit(asked);
  const records = audit.data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <>
      <Group title={words.sections.audit} note={words.auditNote}>
        <div className={styles.fields}>
          <div className={styles.pair}>
            <TextInput
              label={words.auditUser}
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
            />
            <Button variant="default" onClick={() => void exportLog()}>
              {words.export}
            </Button>
          </div>
        </div>
        {audit.isPending && <LoadingPanel />}
        {audit.isError && <ErrorPanel error={audit.error} onRetry={() => void audit.refetch()} />}
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
                  <code>{record.action}</code>
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
        {audit.hasNextPage && (
          <Button
            variant="default"
            mt="sm"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            {words.more}
          </Button>
        )}
      </Group>
      <SettingForm fields={[{ name: 'audit_days', kind: 'number' }]} />
    </>
  );
}
