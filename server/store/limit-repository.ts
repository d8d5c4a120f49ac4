// Limits of the API groups and what accounts used of them. Knows nothing of windows beyond their start.
export interface GroupLimit {
  apiGroup: string;
  name: string;
  amount: number;
  unit: 'day' | 'min';
}

export interface LimitRepository {
  groupLimits(): Promise<GroupLimit[]>;
  setGroupLimit(limit: GroupLimit): Promise<void>;
  /** Adds to the use of a limit within the window that began at `windowStart` (microseconds). @returns the new sum */
  consume(accountId: number, name: string, windowStart: number, amount: number): Promise<number>;
  used(accountId: number, name: string, windowStart: number): Promise<number>;
  /** Forgets windows that began before this time. */
  removeBefore(windowStart: number): Promise<void>;
}
