// Other machines that analyse for this workstation: how they join, who they are, what they last said. Sends them nothing.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import type { Heartbeat, Versions } from '../../contract/workstation/lab.ts';
import type { LabMachineRecord } from '../../store/repositories/lab-machine-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import { version } from '../version.ts';

export type { LabMachineRecord };

/** Microseconds for which a code lets a machine join. */
const codeTime = 30 * 60_000_000;
const maxCodes = 100;
/** Milliseconds without a word after which a machine counts as gone: it speaks every two seconds. */
const silence = 10_000;
const lately = 600_000;

/** What is known of a machine since the workstation was started. */
export interface MachineLife {
  heartbeat: Heartbeat;
  /** Microseconds since 1970 UTC. */
  lastSeenAt: number;
  isOnline: boolean;
  done: number;
  failed: number;
  doneLately: number;
}

interface Life {
  heartbeat: Heartbeat | null;
  lastSeenAt: number;
  /** By a clock that nobody sets. */
  heardAt: number;
  /** Whether its silence was told of. */
  isMissed: boolean;
  failed: number;
  done: number;
  /** When its last tasks ended. */
  ends: number[];
}

/** Of moments, those of the last ten minutes. */
const recent = (ends: readonly number[]): number[] => ends.filter((at) => at > performance.now() - lately);

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');

export class LabMachines {
  readonly #store: Store;
  readonly #secret: Uint8Array;
  readonly #codes = new Map<string, number>();
  readonly #lives = new Map<number, Life>();
  /** As they were when they last asked for something, or were changed. */
  #known = new Map<number, LabMachineRecord>();

  /** @param secret the installation's own */
  constructor(store: Store, secret: Uint8Array) {
    this.#store = store;
    this.#secret = secret;
  }

  /** By name. */
  list = (): Promise<LabMachineRecord[]> => this.#store.labMachines.list();

  /** @returns a secret that lets one machine join, and until when */
  invite(): { secret: string; expiresAt: number } {
    const secret = randomBytes(24).toString('base64url');
    const expiresAt = this.#store.clock() + codeTime;
    this.#codes.set(digest(secret), expiresAt);
    for (const [oldest] of this.#codes) {
      if (this.#codes.size <= maxCodes) break;
      this.#codes.delete(oldest);
    }
    return { secret, expiresAt };
  }

  /** @throws Failure `wrong-join-code`, `lab-version` */
  async join(secret: string, name: string, versions: Versions): Promise<{ machine: LabMachineRecord; token: string }> {
    const key = digest(secret);
    const expiresAt = this.#codes.get(key);
    if (expiresAt === undefined || expiresAt <= this.#store.clock()) throw new Failure('wrong-join-code');
    this.#checkVersion(versions);
    this.#codes.delete(key);
    const token = randomBytes(32).toString('base64url');
    const machine = await this.#store.transaction(({ labMachines }) => labMachines.insert(name, token));
    return { machine, token };
  }

  /** @throws Failure `invalid-token` */
  async identify(authorization: string | undefined): Promise<LabMachineRecord> {
    const token = /^Machine ([\w-]{1,100})$/.exec(authorization ?? '')?.[1];
    const machine = token === undefined ? null : await this.#store.labMachines.findByToken(token);
    if (machine === null) throw new Failure('invalid-token');
    this.#known.set(machine.id, machine);
    return machine;
  }

  /** @throws Failure `lab-version` */
  hear({ id }: LabMachineRecord, heartbeat: Heartbeat): void {
    this.#checkVersion(heartbeat);
    const life = this.#lifeOf(id);
    life.heartbeat = heartbeat;
    life.lastSeenAt = this.#store.clock();
    life.heardAt = performance.now();
    life.isMissed = false;
  }

  /** Results of another engine would differ. */
  #checkVersion({ version: theirs, engine_version: engine }: Versions): void {
    if (theirs === version && engine === engineVersion) return;
    const here = `${version} (engine ${engineVersion})`;
    throw new Failure('lab-version', { theirs: here, ours: `${theirs} (engine ${engine})` });
  }

  /** @throws Failure `not-found` */
  async change(id: number, state: LabMachineRecord['state']): Promise<LabMachineRecord> {
    const machine = await this.#store.transaction(({ labMachines }) => labMachines.change(id, state));
    if (machine === null) throw new Failure('not-found');
    this.#known.set(id, machine);
    return machine;
  }

  /** @throws Failure `not-found` */
  async remove(id: number): Promise<void> {
    if (!(await this.#store.transaction(({ labMachines }) => labMachines.remove(id)))) throw new Failure('not-found');
    this.#known.delete(id);
    this.#lives.delete(id);
  }

  /** Counts what became of a task that a machine had. */
  noteEnd(id: number, isWell: boolean): void {
    const life = this.#lifeOf(id);
    if (isWell) life.done += 1;
    else life.failed += 1;
    life.ends = [...recent(life.ends), performance.now()];
  }

  /** What a machine last said; null where it has said nothing yet. */
  lifeOf(id: number): MachineLife | null {
    const life = this.#lives.get(id);
    if (life === undefined || life.heartbeat === null) return null;
    const { heartbeat, lastSeenAt, done, failed } = life;
    return { heartbeat, lastSeenAt, isOnline: this.isOnline(id), done, failed, doneLately: recent(life.ends).length };
  }

  /** Whether a machine was heard of a moment ago. */
  isOnline(id: number): boolean {
    const life = this.#lives.get(id);
    return life !== undefined && life.heartbeat !== null && performance.now() - life.heardAt < silence;
  }

  /** Names of machines that should be there and have fallen silent, each once. */
  gone(): string[] {
    const silent = [...this.#lives].filter(
      ([id, life]) =>
        life.heartbeat !== null && !life.isMissed && this.#known.get(id)?.state === 'on' && !this.isOnline(id),
    );
    return silent.map(([id, life]) => {
      life.isMissed = true;
      return this.#known.get(id)!.name;
    });
  }

  /** Whether a machine that is there said that it has this task. */
  isRunning(id: number, ticket: string): boolean {
    return this.isOnline(id) && this.#lives.get(id)!.heartbeat!.running.includes(ticket);
  }

  /** Cores of the machines that take tasks now. */
  get cores(): number {
    let sum = 0;
    for (const [id, { state }] of this.#known) {
      const heartbeat = this.isOnline(id) ? this.#lives.get(id)!.heartbeat! : null;
      if (state === 'on' && heartbeat?.is_taking === true) sum += heartbeat.cores;
    }
    return sum;
  }

  /** Its account of Redis. The password is worked out, so that it can be made again where Redis has forgotten it. */
  account({ id }: Pick<LabMachineRecord, 'id'>): { username: string; password: string } {
    const mac = createHmac('sha256', this.#secret).update(`lab-redis\n${id}`);
    const installation = createHash('sha256').update(this.#secret).digest('hex').slice(0, 8);
    return { username: `apk-workstation-${installation}-${id}`, password: mac.digest('base64url') };
  }

  #lifeOf(id: number): Life {
    const life = this.#lives.get(id) ?? {
      ...{ heartbeat: null, lastSeenAt: 0, heardAt: 0, isMissed: false, failed: 0, done: 0, ends: [] },
    };
    this.#lives.set(id, life);
    return life;
  }
}
