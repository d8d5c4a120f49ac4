// Backups into a second place by schedule: where to, how often, how the last ones ended.
import { Button, Progress } from '@mantine/core';
import { useBackupSchedule, useScheduledBackup } from '../../api/administration-queries.ts';
import type { AnswerOf } from '../../api/client.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { Table } from '../../components/table/table.tsx';
import { Chip } from '../../components/text/chip.tsx';
import { formatFull, formatSize } from '../../components/text/format.ts';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts } from './texts.ts';

const words = administrationTexts;
type Schedule = AnswerOf<'GET /backup-schedule/'>;

function Ended({ last, last_good: good, due_at: dueAt }: Schedule) {
  const { scheduled } = words;
  if (last === null) return <p className={styles.empty}>{scheduled.none}</p>;
  const shown = good ?? last;
  const rows = [
    [scheduled.last, formatFull(last.ended_at)],
    ...(good === null || last.error === null ? [] : [[scheduled.good, formatFull(good.ended_at)]]),
    [scheduled.copied, formatSize(shown.copied)],
    [scheduled.size, `${formatSize(shown.size)}, ${scheduled.states(shown.states)}`],
    ...(dueAt === null ? [] : [[scheduled.due, formatFull(dueAt)]]),
  ];
  return (
    <>
      <p>
        <Chip tone={last.error === null ? 'good' : 'high'}>
          {last.error === null ? scheduled.well : scheduled.failed}
        </Chip>
      </p>
      {last.error !== null && (
        <p role="alert" className={styles.error}>
          {words.backupFailed(last.error)}
        </p>
      )}
      {last.damaged > 0 && <p className={styles.error}>{scheduled.damaged(last.damaged, last.lost)}</p>}
      <Table columns={[words.storageColumns.part, words.storageColumns.more]}>
        {rows.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="tabular">{value}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

export function BackupScheduleGroup() {
  const schedule = useBackupSchedule();
  const start = useScheduledBackup();
  const progress = schedule.data?.progress ?? null;
  return (
    <Group title={words.schedule} note={words.scheduleNote}>
      <SettingForm
        fields={[
          { name: 'backup_folder', kind: 'text', placeholder: '/mnt/backup/workstation' },
          { name: 'backup_hours', kind: 'number' },
        ]}
      />
      {!schedule.isSuccess && <QueryState query={schedule} />}
      {schedule.isSuccess && schedule.data.folder !== null && (
        <>
          <div className={styles.actions}>
            <Button variant="default" loading={start.isPending || progress !== null} onClick={() => start.mutate()}>
              {words.backUp}
            </Button>
            {progress !== null && <Progress value={progress * 100} w={240} aria-label={words.backingUp} animated />}
          </div>
          <Ended {...schedule.data} />
        </>
      )}
    </Group>
  );
}
