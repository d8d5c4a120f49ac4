// Other machines that analyse: the Redis between them, how each does, and codes with which they join.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { LabMachine } from '../../../server/contract/workstation/lab.ts';
import {
  useInviteMachine,
  useLab,
  useMachineState,
  useRemoveMachine,
  useSharing,
} from '../../api/administration-queries.ts';
import { useJobs } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { jobsTexts } from '../../components/status/texts.ts';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { CopyButton } from '../../components/text/copy-button.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatDuration, formatFull, formatWhen } from '../../components/text/format.ts';
import { HostileText, visibleString } from '../../components/text/hostile-text.tsx';
import { rateOf, useThroughput } from '../../state/throughput.ts';
import { SettingForm } from './setting-form.tsx';
import { workersTexts as words } from './texts.ts';

type State = keyof typeof words.states;

const tones: Record<State, Tone> = {
  taking: 'good',
  paused: 'quiet',
  draining: 'quiet',
  away: 'high',
  unreached: 'high',
  never: 'quiet',
};

function stateOf({ state, is_online, is_taking, last_seen_at }: LabMachine): State {
  if (last_seen_at === null) return 'never';
  if (!is_online) return 'away';
  if (state !== 'on') return state;
  return is_taking ? 'taking' : 'unreached';
}

/** Minutes over which a machine counts what it did lately. */
const lately = 10;

function MachineRow({ machine, onRemove }: { machine: LabMachine; onRemove: () => void }) {
  const change = useMachineState();
  const { id, name, state, cores, load, last_seen_at } = machine;
  const shown = stateOf(machine);
  const action = (text: string, next: LabMachine['state']) => (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={words.ofMachine(text, visibleString(name, 80))}
      onClick={() => change.mutate({ id, state: next })}
    >
      {text}
    </Button>
  );
  return (
    <tr data-testid="machine">
      <th scope="row">
        <HostileText value={name} max={80} isFixed />
        {cores !== null && <div className={styles.aside}>{words.cores(cores)}</div>}
      </th>
      <td>
        <Chip tone={tones[shown]}>{words.states[shown]}</Chip>
        {shown === 'away' && <div className={styles.aside}>{words.lastSeen(formatWhen(last_seen_at!))}</div>}
      </td>
      <NumberCell>{load === null ? '–' : load.toFixed(1)}</NumberCell>
      <NumberCell>{formatCount(machine.running)}</NumberCell>
      <NumberCell>{(machine.done_lately / lately).toFixed(1)}</NumberCell>
      <NumberCell>{formatCount(machine.done)}</NumberCell>
      <NumberCell>{formatCount(machine.failed)}</NumberCell>
      <td>{machine.version === null ? '–' : <HostileText value={machine.version} max={40} isFixed />}</td>
      <td>
        <div className={styles.inline}>
          {state === 'on' ? action(words.pause, 'paused') : action(words.resume, 'on')}
          {state !== 'draining' && action(words.drain, 'draining')}
          <Button
            variant="default"
            size="compact-sm"
            aria-label={words.ofMachine(words.remove, visibleString(name, 80))}
            onClick={onRemove}
          >
            {words.remove}
          </Button>
        </div>
      </td>
    </tr>
  );
}

function Machines({ machines }: { machines: readonly LabMachine[] }) {
  const remove = useRemoveMachine();
  const [doomed, setDoomed] = useState<LabMachine | null>(null);
  const { columns } = words;
  if (machines.length === 0) return <p className={styles.empty}>{words.none}</p>;
  return (
    <>
      <Table
        columns={[
          columns.name,
          columns.state,
          { label: columns.load, as: 'number' },
          { label: columns.running, as: 'number' },
          { label: columns.rate, as: 'number' },
          { label: columns.done, as: 'number' },
          { label: columns.failed, as: 'number' },
          columns.version,
          { label: columns.action, as: 'hidden' },
        ]}
      >
        {machines.map((machine) => (
          <MachineRow key={machine.id} machine={machine} onRemove={() => setDoomed(machine)} />
        ))}
      </Table>
      <ConfirmDialog
        isOpen={doomed !== null}
        onClose={() => setDoomed(null)}
        title={words.removeTitle(visibleString(doomed?.name ?? '', 80))}
        action={words.remove}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate(doomed!.id, { onSuccess: () => setDoomed(null) })}
      >
        {words.removeText}
      </ConfirmDialog>
    </>
  );
}

/** What is out, what waits, and how long that will take. */
function Queue({ out, late }: { out: number; late: number }) {
  const jobs = useJobs({ status: 'active' });
  const times = useThroughput(({ times }) => times);
  const waiting = jobs.data?.count ?? 0;
  const rate = rateOf(times, waiting);
  const parts = [
    words.waiting(waiting),
    words.out(out),
    ...(rate === null ? [] : [jobsTexts.rate(rate.perMinute)]),
    ...(rate === null || rate.left === 0 ? [] : [jobsTexts.left(formatDuration(rate.left))]),
    ...(late === 0 ? [] : [words.late(late)]),
  ];
  return (
    <p className="tabular" data-testid="lab-queue">
      {parts.join(' · ')}
    </p>
  );
}

function Joining() {
  const sharing = useSharing();
  const { mutate, data, isPending } = useInviteMachine();
  const command = data === undefined ? null : `apk-workstation worker --join ${data.code}`;
  return (
    <Group title={words.join} note={words.joinNote}>
      {sharing.data?.is_on === false && <p className={styles.empty}>{words.notShared}</p>}
      <div>
        <Button onClick={() => mutate()} loading={isPending}>
          {words.newCode}
        </Button>
      </div>
      {command !== null && (
        <div className={styles.secret} role="status">
          <div>{words.command}</div>
          <div className={styles.line}>
            <code data-testid="join-command">{command}</code>
            <CopyButton text={command} what={words.commandName} />
          </div>
          <div className={styles.aside}>{words.expires(formatFull(data!.expires_at))}</div>
        </div>
      )}
    </Group>
  );
}

export function WorkersSection() {
  const lab = useLab();
  return (
    <>
      <Group title={words.title} note={words.note}>
        <SettingForm
          fields={[
            { name: 'lab_redis_url', kind: 'text', placeholder: 'rediss://redis.example.org:6379' },
            { name: 'lab_redis_user', kind: 'text' },
            { name: 'lab_redis_password', kind: 'secret' },
            { name: 'lab_analyses_here', kind: 'switch' },
            { name: 'metrics', kind: 'switch' },
          ]}
        />
      </Group>
      {!lab.isSuccess && <QueryState query={lab} />}
      {lab.isSuccess && !lab.data.is_on && <p className={styles.empty}>{words.off}</p>}
      {lab.isSuccess && lab.data.is_on && (
        <>
          <Group title={words.queue}>
            {lab.data.is_redis_up === false && (
              <p role="alert" className={styles.error}>
                {words.redisDown}
              </p>
            )}
            <Queue out={lab.data.out} late={lab.data.late} />
            <Machines machines={lab.data.results} />
          </Group>
          <Joining />
        </>
      )}
    </>
  );
}
