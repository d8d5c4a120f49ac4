// What takes room, the retention rule, backups.
import { Button, Checkbox, PasswordInput, Progress } from '@mantine/core';
import { useState } from 'react';
import { passphraseLength } from '../../../server/contract/workstation/storage.ts';
import { useBackups, useDeleteBackup, useStartBackup, useStorage } from '../../api/administration-queries.ts';
import { useHealth } from '../../api/queries.ts';
import { tellError } from '../../components/form/tell-error.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { ErrorPanel, LoadingPanel } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull, formatSize, percent } from '../../components/text/format.ts';
import { shellTexts } from '../../shell/texts.ts';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

function Room() {
  const storage = useStorage();
  const health = useHealth();
  if (storage.isPending) return <LoadingPanel />;
  if (storage.isError) return <ErrorPanel error={storage.error} onRetry={() => void storage.refetch()} />;
  const { data } = storage;
  const parts = [
    [words.parts.apks, data.apk_bytes, words.apks(data.apks)],
    [words.parts.database, data.database_bytes, ''],
    [words.parts.reports, data.report_bytes, words.withinDatabase],
    [words.parts.feeds, data.feed_bytes, ''],
    [words.parts.backups, data.backup_bytes, ''],
    [words.parts.cache, data.cache_bytes, ''],
    [words.parts.free, data.free_bytes, percent(data.free_bytes / Math.max(1, data.disk_bytes))],
  ] as const;
  return (
    <>
      <Group title={words.storage}>
        {health.data?.faults.map(({ part, advice }) => (
          <p key={part}>
            <Chip tone="high">{shellTexts.faults[part]}</Chip> {advice}
          </p>
        ))}
        <p className={styles.note}>
          {words.folder}: <code>{data.folder}</code>
        </p>
        <Table
          columns={[
            words.storageColumns.part,
            { label: words.storageColumns.size, as: 'number' },
            words.storageColumns.more,
          ]}
        >
          {parts.map(([name, bytes, more]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <NumberCell>{formatSize(bytes)}</NumberCell>
              <td>{more}</td>
            </tr>
          ))}
        </Table>
      </Group>
      <Group
        title={words.retention}
        note={
          data.retention.days === null
            ? undefined
            : words.retentionDue(data.retention.due_apks, formatSize(data.retention.due_bytes))
        }
      >
        <SettingForm
          fields={[
            { name: 'retention_days', kind: 'number' },
            { name: 'retention_includes_engaged', kind: 'switch' },
            { name: 'disk_reserve_bytes', kind: 'megabytes' },
          ]}
        />
      </Group>
    </>
  );
}

function Backups() {
  const backups = useBackups();
  const start = useStartBackup();
  const remove = useDeleteBackup();
  const [passphrase, setPassphrase] = useState('');
  const [withAuthority, setWithAuthority] = useState(false);
  const isShort = passphrase !== '' && [...passphrase].length < passphraseLength;
  const run = backups.data?.run ?? null;
  return (
    <Group title={words.backups} note={words.backupsNote}>
      <div className={styles.fields}>
        <PasswordInput
          label={words.backupPassphrase}
          description={words.backupPassphraseNote}
          autoComplete="new-password"
          value={passphrase}
          error={isShort ? words.backupPassphraseShort(passphraseLength) : null}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Checkbox
          label={words.backupAuthority}
          checked={withAuthority}
          onChange={(event) => setWithAuthority(event.currentTarget.checked)}
        />
      </div>
      <div className={styles.actions}>
        <Button
          disabled={isShort}
          loading={start.isPending || run?.status === 'running'}
          onClick={() =>
            start.mutate(
              { ...(passphrase === '' ? {} : { passphrase }), with_authority: withAuthority },
              { onSuccess: () => setPassphrase(''), onError: tellError },
            )
          }
        >
          {words.backUp}
        </Button>
        {run?.status === 'running' && (
          <Progress value={run.progress * 100} w={240} aria-label={words.backingUp} animated />
        )}
      </div>
      {run?.status === 'failed' && (
        <p role="alert" className={styles.error}>
          {words.backupFailed(run.error ?? '')}
        </p>
      )}
      {backups.isError && <ErrorPanel error={backups.error} onRetry={() => void backups.refetch()} />}
      {backups.isSuccess && backups.data.results.length === 0 && <p className={styles.empty}>{words.noBackups}</p>}
      {backups.isSuccess && backups.data.results.length > 0 && (
        <Table
          columns={[
            words.backupColumns.name,
            words.backupColumns.created,
            { label: words.backupColumns.size, as: 'number' },
            { label: words.action, as: 'hidden' },
          ]}
        >
          {backups.data.results.map((backup) => (
            <tr key={backup.name} data-testid="backup">
              <td>
                <code>{backup.name}</code> {backup.is_sealed && words.sealed}
              </td>
              <td className="tabular">{formatFull(backup.created_at)}</td>
              <NumberCell>{formatSize(backup.size)}</NumberCell>
              <td>
                <Button
                  component="a"
                  href={backup.download_url}
                  variant="subtle"
                  leftSection={<Icon name="download" size={14} />}
                >
                  {words.download}
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={words.deleteLabel(backup.name)}
                  onClick={() => remove.mutate(backup.name, { onError: tellError })}
                >
                  {words.delete}
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Group>
  );
}

export function StorageSection() {
  return (
    <>
      <Room />
      <Backups />
    </>
  );
}
