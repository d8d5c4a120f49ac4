// How far one run of an app goes, phase by phase. Knows no app.

/** What a person with a stopwatch would give an app; the machine's own limits stand above. */
export interface Budget {
  /** Milliseconds of the processor for the whole run. */
  readonly cpuMilliseconds: number;
  readonly instructions: number;
  /** Of a loop that does nothing but count: a phone needs some tenth of a second for as many as are usual. */
  readonly loopInstructions: number;
  /** Rounds over everything that can happen; the second in another order. */
  readonly passes: number;
  /** Milliseconds of the processor for a second run, led to the sensitive calls that the first one did not make; 0 for none. */
  readonly directedMilliseconds: number;
}

export const usualBudget: Budget = {
  cpuMilliseconds: 45_000,
  instructions: 1_500_000_000,
  loopInstructions: 60_000_000,
  passes: 2,
  directedMilliseconds: 6_000,
};

/** Events of one pass; apps that make a view for each click would never end. */
export const maxEventsPerPass = 5_000;
/** Milliseconds of the processor for the events of one pass, so that the next has its turn in the whole run's time. */
export const passMilliseconds = 6_000;
/** The same of one component that runs again. */
export const againMilliseconds = 300;
/** Times that the clock is moved on in one wait; apps with a timer of milliseconds would never let it end. */
export const maxSteps = 400;
/** Steps of the clock in a row that ran nothing new; then a wait has only `restingSteps` of them until something does. */
export const maxIdleTicks = 2_000;
export const restingSteps = 20;
/** Then the phone dozes: what is due comes in so many strides, all of one at once, and late. */
export const dozeSteps = 40;
/** Virtual milliseconds of a stride at least; what is shorter is not waited for. */
export const minDoze = 1_000;
/** Dialogs open dialogs, and what is learned is tried: rounds over what may happen in one place. */
export const maxRounds = 3;
/** Intents sent to one component in a row, each with the extras that it asked for before. */
export const maxOrders = 8;
/** Virtual milliseconds after an event, in which what it began comes about. */
export const shortWait = 1_500;
/** Touches of one thing in a row that run no code which has not run before; then it rests for the rest of the pass. */
export const maxIdleTouches = 12;
/** The same of what happens to every screen. */
export const maxIdleSteps = 2;
/** The same of pairs of screens of which one covers the other. */
export const maxIdlePairs = 6;
