// What Prometheus asks: how much is stored, waits, runs and has ended, here and on other machines. Off at first.
import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { engineVersion } from '../contract/engine/engine-version.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type { Store } from '../store/store.ts';
import { Failure } from './failure.ts';
import type { ServerHealth } from './health.ts';
import type { Lab } from './lab/lab.ts';
import { readSetting } from './settings.ts';
import { version } from './version.ts';

interface MetricsParts {
  store: Store;
  queue: JobQueue;
  health: ServerHealth;
  lab: Lab;
}

type Labels = Record<string, string>;
/** A metric: its name without the prefix, what it says, and its values. */
type Measure = [name: string, help: string, values: readonly (readonly [Labels, number])[]];

interface MeasuredMachine {
  label: { machine: string };
  up: number;
  load: number;
  running: number;
  done: number;
  failed: number;
}

export class Metrics {
  readonly #parts: MetricsParts;
  /** Jobs that have ended since the workstation was started, by `kind` and `status`. */
  readonly #ended = new Map<string, { labels: Labels; count: number }>();
  /** What is measured of this process; null: nobody has asked yet. */
  #process: Registry | null = null;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    parts.queue.onChange(({ kind, status, finishedAt }) => {
      if (finishedAt === null) return;
      const key = `${kind} ${status}`;
      const known = this.#ended.get(key) ?? { labels: { kind, status }, count: 0 };
      this.#ended.set(key, { ...known, count: known.count + 1 });
    });
  }

  /** In the text format of Prometheus 0.0.4. @throws Failure `metrics-off` */
  async text(): Promise<string> {
    if (!(await readSetting(this.#parts.store, 'metrics'))) throw new Failure('metrics-off');
    // Loaded here alone: a workstation without metrics has nothing of it.
    const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
    if (this.#process === null) {
      // It observes the process from then on: once is enough.
      this.#process = new Registry();
      collectDefaultMetrics({ register: this.#process });
    }
    const registry = new Registry();
    const add = (Kind: typeof Counter | typeof Gauge, [name, help, values]: Measure) => {
      const labelNames = Object.keys(values[0]?.[0] ?? {});
      const metric = new Kind({ name: `apk_workstation_${name}`, help, labelNames, registers: [registry] });
      for (const [labels, value] of values) metric.inc(labels, value);
    };
    const machines = await this.#machines();
    for (const gauge of await this.#gauges(machines)) add(Gauge, gauge);
    for (const counter of this.#counters(machines)) add(Counter, counter);
    return Registry.merge([this.#process, registry]).metrics();
  }

  async #gauges(machines: readonly MeasuredMachine[]): Promise<Measure[]> {
    const { store, health, lab } = this.#parts;
    const { status, jobs } = await health.state();
    const { bavail, bsize } = await statfs(store.dataDir);
    return [
      ['info', 'The version of the workstation and of its engine.', [[{ version, engine: `${engineVersion}` }, 1]]],
      ['healthy', 'Whether nothing is degraded: GET /health/ says what is.', [[{}, Number(status === 'ok')]]],
      ['apks', 'APKs in the catalogue.', [[{}, await store.apks.count()]]],
      ['free_bytes', 'Free bytes of the disk with the data folder.', [[{}, bavail * bsize]]],
      [
        'jobs',
        'Jobs that wait or run.',
        [
          [{ state: 'queued' }, jobs.queued],
          [{ state: 'running' }, jobs.running],
        ],
      ],
      ['analyses_at_once', 'Analyses that can run at a time, here and on other machines.', [[{}, lab.pool.places]]],
      ['lab_tasks_out', 'Tasks that are with other machines.', [[{}, lab.pool.out]]],
      [
        'lab_machine_up',
        'Whether another machine was heard of a moment ago.',
        machines.map((one) => [one.label, one.up]),
      ],
      ['lab_machine_load', 'Processes that want its processor.', machines.map((one) => [one.label, one.load])],
      ['lab_machine_running', 'Tasks that it runs.', machines.map((one) => [one.label, one.running])],
    ];
  }

  #counters(machines: readonly MeasuredMachine[]): Measure[] {
    return [
      [
        'jobs_ended_total',
        'Jobs that have ended since the start, by kind and by how.',
        [...this.#ended.values()].map(({ labels, count }) => [labels, count] as const),
      ],
      ['lab_answers_late_total', 'Late and double answers of machines.', [[{}, this.#parts.lab.pool.late]]],
      [
        'lab_machine_done_total',
        'Tasks that it has done since the start.',
        machines.map((one) => [one.label, one.done]),
      ],
      [
        'lab_machine_failed_total',
        'Tasks that failed for a reason of its own.',
        machines.map((one) => [one.label, one.failed]),
      ],
    ];
  }

  async #machines(): Promise<MeasuredMachine[]> {
    const { machines } = this.#parts.lab;
    return (await machines.list()).map(({ id, name }) => {
      const life = machines.lifeOf(id);
      return {
        label: { machine: name },
        up: Number(life?.isOnline ?? false),
        load: life?.heartbeat.load ?? 0,
        running: life?.isOnline === true ? life.heartbeat.running.length : 0,
        done: life?.done ?? 0,
        failed: life?.failed ?? 0,
      };
    });
  }
}
