// What takes room, the retention rule, backups.
import { Button, Checkbox, PasswordInput, Progress } from '@mantine/core';
import { useInputState } from '@mantine/hooks';
import { passphraseLength } from '../../../server/contract/workstation/storage.ts';
import { useBackups, useDeleteBackup, useStartBackup, useStorage } from '../../api/administration-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import { useHealth } from '../../api/queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { Icon } from '../../components/picture/icon.tsx';
import { RowDeletion } from '../../components/table/row-deletion.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull, formatSize, percent } from '../../components/text/format.ts';
import { shellTexts } from '../../shell/texts.ts';
import { BackupScheduleGroup } from './backup-schedule.tsx';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

type Backups = AnswerOf<'GET /backups/'>;

function Room() {
  const storage = useStorage();
  const health = useHealth();
  if (!storage.isSuccess) return <QueryState query={storage} />;
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
            { name: 'retention_days', kind: 'days' },
            { name: 'retention_includes_engaged', kind: 'switch' },
            { name: 'trash_days', kind: 'days' },
            { name: 'disk_reserve_bytes', kind: 'bytes' },
          ]}
        />
      </Group>
    </>
  );
}

function StartBackup({ run }: { run: Backups['run'] }) {
  const start = useStartBackup();
  const [passphrase, setPassphrase] = useInputState('');
  const [withAuthority, setWithAuthority] = useInputState(false);
  const isShort = passphrase !== '' && [...passphrase].length < passphraseLength;
  return (
    <>
      <div className={styles.fields}>
        <PasswordInput
          label={words.backupPassphrase}
          description={words.backupPassphraseNote}
          autoComplete="new-password"
          value={passphrase}
          error={isShort ? words.backupPassphraseShort(passphraseLength) : null}
          onChange={setPassphrase}
        />
        <Checkbox label={words.backupAuthority} checked={withAuthority} onChange={setWithAuthority} />
      </div>
      <div className={styles.actions}>
        <Button
          disabled={isShort}
          loading={start.isPending || run?.status === 'running'}
          onClick={() =>
            start.mutate(
              { ...(passphrase === '' ? {} : { passphrase }), with_authority: withAuthority },
              { onSuccess: () => setPassphrase('') },
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
    </>
  );
}

function BackupTable({ backups }: { backups: Backups['results'] }) {
  const remove = useDeleteBackup();
  if (backups.length === 0) return <p className={styles.empty}>{words.noBackups}</p>;
  return (
    <Table
      columns={[
        words.backupColumns.name,
        words.backupColumns.created,
        { label: words.backupColumns.size, as: 'number' },
        { label: words.action, as: 'hidden' },
      ]}
    >
      {backups.map((backup) => (
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
            <RowDeletion
              text={words.delete}
              label={words.deleteLabel(backup.name)}
              onClick={() => remove.mutate(backup.name)}
            />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function StorageSection() {
  const backups = useBackups();
  return (
    <>
      <Room />
      <BackupScheduleGroup />
      <Group title={words.backups} note={words.backupsNote}>
        <StartBackup run={backups.data?.run ?? null} />
        {backups.isSuccess ? <BackupTable backups={backups.data.results} /> : <QueryState query={backups} />}
      </Group>
    </>
  );
}
