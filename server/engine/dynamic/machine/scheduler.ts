// Scheduling and the virtual clock: threads run in a fixed order, one slice each; the clock jumps where all wait.
// Knows no instructions.
import { roughCpuMilliseconds } from '../../cpu-time.ts';
import { type HeapObject, JavaThrow } from './heap.ts';
import { type Blocked, JavaThread } from './java-thread.ts';
import { Departure, RunEnd } from './limits.ts';
import type { Method } from './linked-class.ts';
import { LongLoops } from './long-loops.ts';
import type { Scheduled } from './model.ts';
import type { Runtime } from './runtime.ts';
import { execute } from './thread-loop.ts';

/** Ends a thread that can never go on: it waits in a model, above threads on the JavaScript stack that it waits for. */
class ThreadAbandoned extends Departure {}

/** Instructions between two looks at other threads, the clock and the limits. */
const sliceLength = 20_000;
/** Virtual speed: slow enough that a program that waits by counting gets to its time, fast enough for delays to matter. */
const instructionsPerMillisecond = 20_000;
/** Reading the clock costs some virtual time: so that a loop that polls it for an hour ends. */
const millisecondsPerReading = 0.02;
/** Each time as many readings come with no rest between them, one costs twice the time. */
const readingsBeforeHaste = 5_000;
/** Switching threads takes time: threads that only yield to each other reach the limit of virtual time. */
const millisecondsPerSwitch = 0.05;

/** A task of the main thread that runs longer hangs: a device would offer to close the app. */
const maxTaskInstructions = 100_000_000;
/** An app that has hung once is not waited for as long again. */
const shareAfterHanging = 1 / 5;
/** Of the instructions that a loop may have, what a thread may spin whose like has spun before. */
const shareOfSpinning = 1 / 20;
/** Instructions for such a task after a loop of it was cut short. */
const instructionsAfterLoop = 10_000_000;

interface Task extends Scheduled {
  readonly order: number;
  readonly run: () => void;
  /** The model that scheduled it. */
  readonly model: Method | null;
  isCancelled: boolean;
}

export class Scheduler {
  readonly slice = sliceLength;
  readonly #vm: Runtime;
  readonly #startDate: number;
  readonly #startedAt = roughCpuMilliseconds();
  readonly main: JavaThread;
  current: JavaThread;
  /** Started and not finished, in the order of their start, the main thread first. */
  readonly threads: JavaThread[] = [];
  #started = 0;
  #instructions = 0;
  /** Virtual milliseconds skipped because everything waited, and spent on reading the clock. */
  #skipped = 0;
  /** Of the clock since the program last had to wait. */
  #readings = 0;
  #isAside = false;
  /** Instructions after which what runs on the main thread is given up. */
  #mainEnd = Number.POSITIVE_INFINITY;
  #hasHung = false;
  readonly loops: LongLoops;
  /** Methods that threads which spin began with. */
  readonly #spinning = new Set<Method>();
  readonly #tasks: Task[] = [];
  #taskOrder = 0;
  /** Threads that were given up, for the report. */
  abandoned = 0;
  /** Told of an exception that ended a thread or a task of the main thread. */
  onUncaught: (thread: JavaThread, throwable: HeapObject) => void = () => undefined;
  /** Told of the method in which the main thread was given up. */
  onHang: (method: string) => void = () => undefined;
  /** Told of the method that a thread which spins is in. */
  onParked: (method: string) => void = () => undefined;
  onThreadEnd: (thread: JavaThread) => void = () => undefined;

  constructor(vm: Runtime, startDate: number) {
    this.#vm = vm;
    this.loops = new LongLoops(vm.limits.loopInstructions);
    this.#startDate = startDate;
    this.main = new JavaThread(1, null);
    this.current = this.main;
    this.threads.push(this.main);
  }

  get instructions(): number {
    return this.#instructions + (sliceLength - this.#vm.budget);
  }

  get elapsed(): number {
    return this.#skipped + this.instructions / instructionsPerMillisecond;
  }

  /** The clock as the program sees it; looking at it takes time. */
  readElapsed(): number {
    // The clock goes faster for a loop that does nothing but read it.
    const patience = Math.min(Math.floor(this.#readings++ / readingsBeforeHaste), 20);
    this.#skipped += millisecondsPerReading * 2 ** patience;
    return this.elapsed;
  }

  readWall(): number {
    return this.#startDate + Math.floor(this.readElapsed());
  }

  get cpuMilliseconds(): number {
    return roughCpuMilliseconds() - this.#startedAt;
  }

  isAwake(blocked: Blocked): boolean {
    return this.elapsed >= blocked.deadline || blocked.ready();
  }

  /** Counts the instructions of the slice so far. @throws RunEnd */
  #account(): void {
    this.#instructions += sliceLength - this.#vm.budget;
    this.#vm.budget = sliceLength;
    const { limits } = this.#vm;
    if (this.#instructions > limits.instructions) {
      throw new RunEnd('instructions', `more than ${limits.instructions} instructions`);
    }
    this.checkProcessor();
    this.#checkTime();
  }

  /** @throws RunEnd where the run has had the processor for as long as it may */
  checkProcessor(): void {
    const { cpuMilliseconds: most } = this.#vm.limits;
    if (this.cpuMilliseconds > most) throw new RunEnd('cpu-time', `more than ${most} ms`);
  }

  #checkTime(): void {
    if (this.elapsed > this.#vm.limits.virtualMilliseconds) {
      throw new RunEnd('virtual-time', `more than ${this.#vm.limits.virtualMilliseconds} ms of virtual time`);
    }
  }

  sliceEnded(thread: JavaThread): boolean {
    this.#account();
    const isOver = thread === this.main && this.#instructions > this.#mainEnd;
    if (this.loops.leave(thread, this.#instructions, isOver)) {
      if (isOver) this.#mainEnd = this.#instructions + instructionsAfterLoop;
    } else if (isOver) {
      this.#hasHung = true;
      this.onHang(thread.frames[thread.depth]?.prepared?.method.label ?? '');
      throw new ThreadAbandoned('a callback on the main thread does not come to its end');
    }
    if (this.threads.length === 1) return false;
    if (thread.isSteppable && thread.loops === 1) {
      this.#isAside = true;
      return true;
    }
    this.#runOthers(thread);
    return false;
  }

  takeAside(): boolean {
    if (!this.#isAside) return false;
    this.#isAside = false;
    return true;
  }

  // Threads.

  /**
   * A thread that runs `method` on its own object; `method` null: `body`, which holds the JavaScript stack while it
   * runs.
   */
  start(object: HeapObject | null, method: Method | null, body: (() => void) | null): JavaThread {
    const { limits } = this.#vm;
    if (this.threads.length >= limits.threads || this.#started >= limits.threadStarts) {
      throw new RunEnd('threads', `more than ${limits.threads} threads at once, or ${limits.threadStarts} in all`);
    }
    this.#started++;
    const thread = new JavaThread(this.#started + 1, object);
    thread.body = body;
    thread.starter = this.#vm.model;
    if (method !== null) {
      const entry = thread.push();
      entry.isEntry = true;
      const outer = this.current;
      const control = this.#vm.control;
      this.current = thread;
      try {
        if (this.#vm.nativeOf(method) !== null) thread.first = method;
        else this.#vm.pushFrame(thread, method, [object], null);
      } finally {
        this.current = outer;
        this.#vm.control = control;
      }
    }
    this.threads.push(thread);
    return thread;
  }

  #isRunnable(thread: JavaThread): boolean {
    if (thread === this.main || thread.isFinished || thread.isParked || thread.loops > 0 || thread.nesting > 0)
      return false;
    return thread.blocked === null || this.isAwake(thread.blocked);
  }

  /** One slice of each other thread that can run; true where one did. */
  #runOthers(except: JavaThread | null): boolean {
    let hasRun = false;
    // A thread that is run here takes room on the waiting thread's JavaScript stack.
    if (this.#vm.nested > this.#vm.limits.nestedCalls / 2) return false;
    for (const thread of [...this.threads]) {
      if (thread === except || !this.#isRunnable(thread)) continue;
      this.#step(thread);
      hasRun = true;
    }
    // The main thread runs due tasks when it is idle.
    if (except !== this.main && this.main.loops === 0 && this.main.nesting === 0 && this.runDueTask()) hasRun = true;
    return hasRun;
  }

  #step(thread: JavaThread): void {
    const outer = this.current;
    const vm = this.#vm;
    const { control, model } = vm;
    this.current = thread;
    vm.control = 0;
    vm.model = null;
    vm.nested++;
    this.#skipped += millisecondsPerSwitch;
    this.#isAside = false;
    const before = this.#instructions - vm.budget;
    const { firstRuns } = vm;
    let isOver = true;
    try {
      if (thread.body !== null) {
        const { body } = thread;
        thread.body = null;
        thread.nesting++;
        try {
          vm.model = thread.starter;
          body();
        } finally {
          thread.nesting--;
        }
      } else {
        thread.isSteppable = true;
        if (thread.first !== null) {
          const { first } = thread;
          thread.first = null;
          vm.begin(first, [thread.object]);
        }
        isOver = execute(vm, thread) === 'returned';
      }
    } catch (error) {
      this.#end(thread, error);
    } finally {
      thread.isSteppable = false;
      vm.nested--;
      this.current = outer;
      vm.control = control;
      vm.model = model;
    }
    if (isOver) this.#finish(thread);
    else if (vm.firstRuns > firstRuns || thread.blocked !== null) thread.spun = 0;
    else this.#spin(thread, this.#instructions - vm.budget - before);
    this.#account();
  }

  /** Parks a thread that has run for long without rest or anything new, as one that draws the same picture over and over. */
  #spin(thread: JavaThread, instructions: number): void {
    thread.spun += instructions;
    const start = thread.frames.find(({ prepared }) => prepared !== null)?.prepared?.method;
    if (start === undefined) return;
    const isKnown = this.#spinning.has(start);
    if (thread.spun < this.#vm.limits.loopInstructions * (isKnown ? shareOfSpinning : 1)) return;
    this.#spinning.add(start);
    thread.isParked = true;
    if (!isKnown) this.onParked(thread.frames[thread.depth]?.prepared?.method.label ?? '');
  }

  /** Ends the work of a thread that threw. @throws what ends the run */
  #end(thread: JavaThread, cause: unknown): void {
    if (cause instanceof ThreadAbandoned) {
      this.abandoned++;
    } else if (cause instanceof JavaThrow) {
      try {
        this.onUncaught(thread, cause.throwable);
      } catch (error) {
        // What a handler of uncaught exceptions throws is ignored, as on a device.
        if (!(error instanceof JavaThrow) && !(error instanceof ThreadAbandoned)) throw error;
      }
    } else {
      this.#vm.failed(cause);
    }
  }

  #finish(thread: JavaThread): void {
    thread.isFinished = true;
    this.threads.splice(this.threads.indexOf(thread), 1);
    this.onThreadEnd(thread);
  }

  /** Lets others run, and time pass, until the thread can go on. @throws ThreadAbandoned where it never can */
  waitFor(thread: JavaThread): void {
    const { blocked } = thread;
    if (blocked === null) return;
    while (!this.isAwake(blocked)) {
      this.#account();
      if (thread === this.main && this.#instructions > this.#mainEnd) {
        thread.blocked = null;
        throw new ThreadAbandoned('the main thread waits while others go on and on');
      }
      if (this.#runOthers(thread)) continue;
      const next = this.#nextEvent(thread);
      if (next === Number.POSITIVE_INFINITY) {
        thread.blocked = null;
        throw new ThreadAbandoned('a thread waits for what cannot happen');
      }
      this.#skipTo(next);
    }
  }

  #skipTo(time: number): void {
    this.#readings = 0;
    this.#skipped += Math.max(0, time - this.elapsed);
    // Rounding may leave the sum just short of the deadline, and no thread would wake.
    while (this.elapsed < time) this.#skipped += 0.001;
    this.#checkTime();
  }

  /** When the next thing that can happen while `waiting` waits is due; Infinity where nothing is. */
  #nextEvent(waiting: JavaThread | null): number {
    let next = Number.POSITIVE_INFINITY;
    for (const thread of this.threads) {
      const canRun = thread === waiting || (thread.loops === 0 && thread.nesting === 0);
      if (canRun && thread.blocked !== null) next = Math.min(next, thread.blocked.deadline);
    }
    if (waiting !== this.main && this.main.loops === 0 && this.main.nesting === 0) {
      next = Math.min(next, this.#tasks[0]?.due ?? next);
    }
    return next;
  }

  // The main thread's tasks.

  schedule(delayMilliseconds: number, run: () => void): Scheduled {
    const due = this.elapsed + Math.max(0, delayMilliseconds);
    const task: Task = {
      due,
      order: this.#taskOrder++,
      run,
      model: this.#vm.model,
      isCancelled: false,
      cancel: () => {
        if (task.isCancelled) return;
        task.isCancelled = true;
        const index = this.#tasks.indexOf(task);
        if (index >= 0) this.#tasks.splice(index, 1);
      },
    };
    let index = this.#tasks.length;
    while (index > 0 && this.#tasks[index - 1]!.due > due) index--;
    this.#tasks.splice(index, 0, task);
    return task;
  }

  /** Runs the first task that is due; false where there is none. */
  runDueTask(): boolean {
    const task = this.#tasks[0];
    if (task === undefined || task.due > this.elapsed) return false;
    this.#tasks.shift();
    this.runMain(task.run, maxTaskInstructions, task.model);
    return true;
  }

  /**
   * Runs `body` on the main thread; what it throws is told to `onUncaught`. False where it ended so, or was given up
   * after `maxInstructions`, its own and those of threads that ran meanwhile.
   */
  runMain(body: () => void, maxInstructions = Number.POSITIVE_INFINITY, model: Method | null = null): boolean {
    const outerEnd = this.#mainEnd;
    const share = this.#hasHung ? shareAfterHanging : 1;
    this.#mainEnd = Math.min(outerEnd, this.instructions + maxInstructions * share);
    const outer = this.current;
    const vm = this.#vm;
    const { control, model: outerModel } = vm;
    this.current = this.main;
    vm.control = 0;
    vm.model = model;
    this.main.nesting++;
    try {
      body();
      return true;
    } catch (error) {
      this.#end(this.main, error);
      return false;
    } finally {
      this.main.nesting--;
      this.current = outer;
      vm.control = control;
      vm.model = outerModel;
      this.#mainEnd = outerEnd;
    }
  }

  /** Ends all threads and tasks with the process. To be called while nothing runs. */
  endProcess(): void {
    for (const thread of this.threads) {
      if (thread === this.main) continue;
      thread.isFinished = true;
      this.#vm.abandon(thread, 0);
    }
    this.threads.length = 0;
    this.threads.push(this.main);
    this.#tasks.length = 0;
    this.#vm.abandon(this.main, 0);
    this.current = this.main;
    this.#isAside = false;
  }

  /** Runs everything that can run without time passing; threads that never block get so many instructions at most. */
  settle(maxInstructions: number): void {
    this.#account();
    const end = this.#instructions + maxInstructions;
    while (this.#runOthers(null)) {
      this.#account();
      if (this.#instructions > end) return;
    }
  }

  /** Moves the clock to the next thing that is due, at most to `until`; false where nothing is. */
  advance(until: number): boolean {
    const next = this.#nextEvent(null);
    if (next > until || next === Number.POSITIVE_INFINITY) return false;
    if (next > this.elapsed) this.#skipTo(next);
    return true;
  }

  /** Moves the clock on, whatever was due meanwhile. */
  skip(milliseconds: number): void {
    this.#skipTo(this.elapsed + milliseconds);
  }
}
