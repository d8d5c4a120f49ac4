// The lab as a whole: follows the settings, gives machines their tasks, and takes them back from those that leave.
import { createHash } from 'node:crypto';
import { sentAway } from '../../contract/process-line/travelling.ts';
import type { Heartbeat, LabQueueAccess } from '../../contract/workstation/lab.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { LabMachineRecord } from '../../store/repositories/lab-machine-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import { readSetting } from '../settings.ts';
import { LabMachines } from './lab-machines.ts';
import { LabPool } from './lab-pool.ts';
import type { LabQueue, LabRedis } from './lab-queue.ts';

export interface LabParts {
  store: Store;
  /** The workers of this machine, and how many analyse at a time. */
  here: WorkerPool;
  places: number;
  installation: { idSalt: string; signingSecret: Uint8Array };
  log: ErrorLog;
}

export class Lab {
  /** What analyses, here and elsewhere. */
  readonly pool: LabPool;
  readonly machines: LabMachines;
  readonly #store: Store;
  readonly #idSalt: string;
  readonly #log: ErrorLog;
  #queue: LabQueue | null = null;
  /** What the queue was opened with, as JSON. */
  #opened = '';
  #last: Promise<void> = Promise.resolve();
  /** Called when more tasks may be under way. */
  onRoom: () => void = () => undefined;
  /** Called when a machine that may take tasks is silent. */
  onGone: (name: string) => void = () => undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor({ store, here, places, installation: { idSalt, signingSecret }, log }: LabParts) {
    this.#store = store;
    this.#idSalt = idSalt;
    this.machines = new LabMachines(store, signingSecret);
    this.pool = new LabPool(here, places, this.machines);
    this.#log = log;
  }

  /** Opens the queue that the settings name, and closes another one. */
  settingsChanged(): Promise<void> {
    this.#last = this.#last.then(() => this.#apply());
    return this.#last;
  }

  async #apply(): Promise<void> {
    const read = <Name extends Parameters<typeof readSetting>[1]>(name: Name) => readSetting(this.#store, name);
    const [url, user, password] = [
      await read('lab_redis_url'),
      await read('lab_redis_user'),
      await read('lab_redis_password'),
    ];
    const wanted = JSON.stringify([url, user, password]);
    if (wanted !== this.#opened) {
      await this.#queue?.close();
      this.#queue = url === '' ? null : await this.#open({ url, user, password });
      this.#opened = wanted;
    }
    clearInterval(this.#watch);
    this.#watch = this.#queue === null ? undefined : setInterval(() => this.machines.gone().forEach(this.onGone), 1000);
    this.pool.use(this.#queue, await read('lab_analyses_here'));
    this.onRoom();
  }

  async #open(redis: LabRedis): Promise<LabQueue> {
    // Loaded here alone: a workstation without a lab has nothing of it.
    const { LabQueue } = await import('./lab-queue.ts');
    const name = createHash('sha256').update(`lab\n${this.#idSalt}`).digest('hex').slice(0, 16);
    let isFirst = true;
    const queue: LabQueue = new LabQueue(
      name,
      redis,
      {
        onFailed: (ticket) => this.pool.bringBack(ticket),
        onProgress: (ticket, stage, done) => this.pool.progressed(ticket, stage, done),
        onState: (isUp) => {
          if (!isUp) return;
          const prepare = isFirst ? queue.clear() : Promise.resolve();
          isFirst = false;
          // One that was restarted may have forgotten its accounts.
          prepare
            .then(() => this.#grantAll(queue))
            .then(() => this.onRoom())
            .catch((err: unknown) => this.#log.error({ err }, 'the Redis of the lab could not be prepared'));
        },
      },
      this.#log,
    );
    return queue;
  }

  async #grantAll(queue: LabQueue): Promise<void> {
    for (const machine of await this.machines.list()) {
      const { username, password } = this.machines.account(machine);
      await queue.grant(username, password);
    }
  }

  get isOn(): boolean {
    return this.#queue !== null;
  }

  /** null where none is set. */
  get isRedisUp(): boolean | null {
    return this.#queue?.isUp ?? null;
  }

  /** What a machine needs to take tasks from the queue. @throws Failure `lab-off` */
  async access(machine: LabMachineRecord): Promise<LabQueueAccess> {
    const queue = this.#queue;
    if (queue === null || !queue.isUp) throw new Failure('lab-off');
    const { username, password } = this.machines.account(machine);
    await queue.grant(username, password);
    return queue.accessOf(username, password);
  }

  /** Takes a heartbeat. @returns of what it runs, that for which nobody waits. @throws Failure `lab-version` */
  hear(machine: LabMachineRecord, heartbeat: Heartbeat): string[] {
    const before = this.machines.cores;
    this.machines.hear(machine, heartbeat);
    if (this.machines.cores > before) this.onRoom();
    return this.pool.unwanted(heartbeat.running);
  }

  /** A task as a machine gets it. @throws Failure `task-gone` */
  task(ticket: string, machine: LabMachineRecord): object {
    const { task, fileBytes, options } = this.pool.take(ticket, machine.id);
    const { cpuMilliseconds } = options;
    return sentAway({ task, fileBytes, ...(cpuMilliseconds === undefined ? {} : { cpuMilliseconds }) });
  }

  /** Where its sealed file lies. @throws Failure `task-gone` */
  file(ticket: string, machine: LabMachineRecord): { path: string; size: number } {
    const { task, fileBytes } = this.pool.take(ticket, machine.id);
    return { path: task.file.path, size: fileBytes };
  }

  /** @throws Failure `task-gone`, `answer-refused` */
  answer(ticket: string, machine: LabMachineRecord, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    return this.pool.answer(ticket, machine, bytes);
  }

  /** Takes everything back from a machine. @throws Failure `not-found` */
  async remove(id: number): Promise<void> {
    await this.machines.remove(id);
    await this.#queue?.revoke(this.machines.account({ id }).username).catch((err: unknown) => {
      this.#log.error({ err }, 'an account of the Redis of the lab could not be taken back');
    });
  }

  /** Ends what is out, the workers here and the queue. */
  async close(): Promise<void> {
    await this.#last;
    clearInterval(this.#watch);
    await this.pool.close();
    await this.#queue?.close();
  }
}
