// The queue through which tasks reach other machines: BullMQ on Redis. Carries names of tasks alone, and knows nothing of them.
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { LabQueueAccess } from '../../contract/workstation/lab.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';

export interface LabRedis {
  url: string;
  user: string;
  password: string;
}

export interface LabQueueEvents {
  /** A machine took a task and did not end it, or the engine has given it up. */
  onFailed(ticket: string): void;
  onProgress(ticket: string, stage: string, done: number): void;
  /** Redis answers again, or no longer. */
  onState(isUp: boolean): void;
}

const prefix = 'apk-workstation';
/** Of the streams of events. */
const keptEvents = 1000;
/** A queue is asked for so long, in milliseconds: a Redis that hangs is one that is gone. */
const patience = 5000;
/** Between attempts to reach a Redis, in milliseconds: longer from one to the next, up to the longest. */
const retry = { step: 50, longest: 2000 } as const;

/** What the engine's worker does, found in its scripts; nothing that tells of other keys or changes the server. */
const commands = [
  ...['ping', 'info', 'client|setname', 'eval', 'evalsha', 'script|load', 'exists', 'del', 'unlink'],
  ...[
    'type',
    'get',
    'set',
    'incr',
    'incrby',
    'pttl',
    'pexpire',
    'pexpireat',
    'rename',
    'time',
    'hget',
    'hset',
    'hmget',
  ],
  ...['hmset', 'hdel', 'hlen', 'hexists', 'hgetall', 'hincrby', 'llen', 'lrem', 'lrange', 'lindex', 'lset', 'lpos'],
  ...['lpush', 'rpush', 'lpop', 'rpop', 'rpoplpush', 'ltrim', 'sadd', 'srem', 'scard', 'smembers', 'sismember', 'zadd'],
  ...['zrem', 'zscore', 'zcard', 'zcount', 'zrange', 'zrangebyscore', 'zrangebylex', 'zrevrange', 'zrevrangebyscore'],
  ...['zpopmin', 'bzpopmin', 'zlexcount', 'zremrangebyscore', 'zremrangebyrank', 'xadd', 'xtrim', 'xlen', 'xdel'],
  ...['xrange', 'hello', 'select', 'quit'],
];

const progressSchema = z.object({ stage: z.string().regex(/^[\x20-\x7e]{1,200}$/), done: z.number().min(0).max(1) });

export class LabQueue {
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  /** For accounts of machines, which are no affair of the engine. */
  readonly #redis: Redis;
  readonly #name: string;
  readonly #url: string;
  #isUp = false;
  #isClosed = false;

  /** @param name of the installation: several may share a Redis */
  constructor(name: string, { url, user, password }: LabRedis, events: LabQueueEvents, log: ErrorLog) {
    this.#name = name;
    this.#url = url;
    const credentials = { ...(user === '' ? {} : { username: user }), ...(password === '' ? {} : { password }) };
    // The engine waits for a Redis that it never reached, also when it is to end: then the next attempt is the last.
    const retryStrategy = (times: number) => (this.#isClosed ? null : Math.min(times * retry.step, retry.longest));
    const connection = { url, ...credentials, maxRetriesPerRequest: null, retryStrategy };
    this.#redis = new Redis(url, { ...credentials, maxRetriesPerRequest: 1 });
    this.#queue = new Queue(name, { prefix, connection, streams: { events: { maxLen: keptEvents } } });
    this.#events = new QueueEvents(name, { prefix, connection });
    this.#redis.on('ready', () => {
      this.#isUp = true;
      events.onState(true);
    });
    this.#redis.on('close', () => {
      if (this.#isUp) log.error({}, 'the Redis of the lab does not answer: tasks are done here');
      this.#isUp = false;
      events.onState(false);
    });
    // Each tells of the same connection that is gone.
    const ignored = () => undefined;
    this.#redis.on('error', ignored);
    this.#queue.on('error', ignored);
    this.#events.on('error', ignored);
    this.#events.on('failed', ({ jobId }) => events.onFailed(jobId));
    this.#events.on('progress', ({ jobId, data }) => {
      const { success, data: progress } = progressSchema.safeParse(data);
      if (success) events.onProgress(jobId, progress.stage, progress.done);
    });
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** @param priority of equally old tasks the lowest is taken first */
  add(ticket: string, kind: string, priority: number): Promise<unknown> {
    const options = { jobId: ticket, priority, removeOnComplete: true, removeOnFail: true };
    return this.#inTime(this.#queue.add(kind, {}, options));
  }

  /** Takes back a task that no machine has yet. */
  async remove(ticket: string): Promise<void> {
    // One that a machine has is locked, and told to it.
    await this.#inTime(this.#queue.remove(ticket)).catch(() => undefined);
  }

  /** Whether the engine still knows of a task. */
  async has(ticket: string): Promise<boolean> {
    return (await this.#inTime(this.#queue.getJob(ticket))) !== undefined;
  }

  /** Forgets what an earlier process of this installation has sent. */
  clear(): Promise<unknown> {
    return this.#inTime(this.#queue.obliterate({ force: true }));
  }

  /** An account of Redis for one machine, which reaches this queue alone. It is made anew with every start of Redis. */
  async grant(username: string, password: string): Promise<void> {
    const rights = ['reset', 'on', `>${password}`, `~${prefix}:${this.#name}:*`, ...commands.map((one) => `+${one}`)];
    await this.#inTime(this.#redis.acl('SETUSER', username, ...rights));
  }

  /** Takes the account back, and ends its connections. */
  async revoke(username: string): Promise<void> {
    await this.#inTime(this.#redis.acl('DELUSER', username));
  }

  /** What a machine needs to reach the queue. */
  accessOf(username: string, password: string): LabQueueAccess {
    return { url: this.#url, username, password, prefix, name: this.#name };
  }

  /** Ends the connections, also to a Redis that does not answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#redis.disconnect();
    await Promise.allSettled([this.#inTime(this.#events.close()), this.#inTime(this.#queue.close())]);
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('Redis did not answer in time.')), patience);
    return Promise.race([work, promise]).finally(() => clearTimeout(timer));
  }
}
