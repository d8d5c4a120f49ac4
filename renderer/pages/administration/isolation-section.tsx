// What workers can reach on this machine, as it was tested at the start, and whether analyses may run without a sandbox.
import type { IsolationReport, ScanMemory } from '../../../server/contract/workstation/isolation.ts';
import { useIsolation } from '../../api/administration-queries.ts';
import styles from '../../components/page/section-page.module.css';
import { Group } from '../../components/page/section-page.tsx';
import { QueryState } from '../../components/page/state-panel.tsx';
import { NumberCell, Table } from '../../components/table/table.tsx';
import { Chip, type Tone } from '../../components/text/chip.tsx';
import { formatCount } from '../../components/text/counted.ts';
import { formatSize } from '../../components/text/format.ts';
import { SettingForm } from './setting-form.tsx';
import { administrationTexts as words } from './texts.ts';

const { isolation } = words;

const tones: Record<IsolationReport['status'], Tone> = {
  pending: 'quiet',
  enforced: 'good',
  leaking: 'high',
  missing: 'medium',
  unmeasured: 'medium',
};

function Closed({ value }: { value: boolean | null }) {
  if (value === null) return <Chip tone="quiet">{isolation.untried}</Chip>;
  return value ? <Chip tone="good">{isolation.closed}</Chip> : <Chip tone="high">{isolation.open}</Chip>;
}

function Trial({ status, kind, escapes }: IsolationReport) {
  return (
    <>
      <p data-testid="isolation">
        <Chip tone={tones[status]}>{isolation.status[status]}</Chip>{' '}
        {kind !== null && isolation.by(isolation.kinds[kind])}
      </p>
      <p className={styles.note}>{isolation.advice[status]}</p>
      {status !== 'pending' && (
        <Table columns={[isolation.columns.way, isolation.columns.system, isolation.columns.runtime]}>
          {escapes.map((way) => (
            <tr key={way.name}>
              <th scope="row">{isolation.ways[way.name]}</th>
              <td>
                <Closed value={way.is_closed_by_system} />
              </td>
              <td>
                <Closed value={way.is_closed_by_runtime} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function Memory({ memory }: { memory: ScanMemory }) {
  const { memory: said } = isolation;
  const rows = [
    [said.machine, formatSize(memory.machine)],
    [said.worker, formatSize(memory.worker)],
    [said.rules, said.rulesOf(memory.rulesets_count, memory.characters)],
    [said.held, formatSize(memory.held)],
    [said.compiling, formatSize(memory.compiling)],
    [said.scans, formatCount(memory.scans_at_once)],
  ] as const;
  return (
    <Group title={said.title} note={said.note}>
      <Table columns={[said.what, { label: said.much, as: 'number' }]}>
        {rows.map(([label, value]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <NumberCell>{value}</NumberCell>
          </tr>
        ))}
      </Table>
      {!memory.is_enough && (
        <p role="alert" className={styles.error}>
          {said.tooLittle}
        </p>
      )}
    </Group>
  );
}

export function IsolationSection() {
  const report = useIsolation();
  return (
    <>
      <Group title={words.sections.isolation} note={isolation.note}>
        <QueryState query={report} />
        {report.isSuccess && <Trial {...report.data} />}
        <SettingForm fields={[{ name: 'require_isolation', kind: 'switch' }]} />
      </Group>
      {report.isSuccess && <Memory memory={report.data.memory} />}
    </>
  );
}
