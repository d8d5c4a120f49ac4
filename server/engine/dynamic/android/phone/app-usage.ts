// Models of what tells an app which other one is in front: usage statistics and their events. Knows no screen.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, Models } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { listOf, mapOf, nothing, stateOf } from '../model-parts.ts';

const S = 'Ljava/lang/String;';
const statsType = 'Landroid/app/usage/UsageStats;';
const eventsType = 'Landroid/app/usage/UsageEvents;';
const eventType = 'Landroid/app/usage/UsageEvents$Event;';

/** What the owner uses, the last first. */
const used = ['com.whatsapp', 'de.sparbank.mobile', 'com.android.chrome', 'com.android.settings'] as const;
const movedToForeground = 1;

/** Apps in the order in which they were in front, the last first: the usual ones, and those that the app looks for. */
export function recentApps(machine: Machine): string[] {
  const { prompts } = worldOf(machine);
  const sought = used
    .flatMap((name) => prompts.answersTo(prompts.tell(name)))
    .filter((name) => /^\w+(?:\.\w+)+$/.test(name));
  const all = [...new Set([...sought, ...used])];
  // Another one each time somebody looks.
  const looks = machine.state('android.looks-at-usage', () => ({ count: 0 }));
  const at = looks.count++ % all.length;
  return [...all.slice(at), ...all.slice(0, at)];
}

/** Minutes that the last app but so many has been out of sight. */
const timeOf = (machine: Machine, index: number): bigint => BigInt(Math.round(machine.clock.wall) - 60_000 * index);

interface Used {
  readonly packageName: string;
  readonly time: bigint;
}

const usedOf = (object: HeapObject): Used => stateOf<Used>(object, () => ({ packageName: '', time: 0n }));

const statistics = (machine: Machine): HeapObject[] =>
  recentApps(machine).map((packageName, index) => {
    const stats = machine.allocate(statsType);
    stats.native = { packageName, time: timeOf(machine, index) } satisfies Used;
    return stats;
  });

interface EventsState {
  readonly waiting: Used[];
}

const eventsOf = (events: HeapObject): EventsState => stateOf<EventsState>(events, () => ({ waiting: [] }));

export const appUsageModels: Models = {
  'Landroid/app/usage/UsageStatsManager;': {
    methods: {
      'queryUsageStats(IJJ)Ljava/util/List;': (machine) => listOf(machine, statistics(machine)),
      'queryAndAggregateUsageStats(JJ)Ljava/util/Map;': (machine) =>
        mapOf(
          machine,
          statistics(machine).map((stats) => [machine.string(usedOf(stats).packageName), stats] as const),
        ),
      [`queryEvents(JJ)${eventsType}`]: (machine) => {
        const events = machine.allocate(eventsType);
        const recent = recentApps(machine).map((packageName, index) => ({ packageName, time: timeOf(machine, index) }));
        events.native = { waiting: recent.reverse() } satisfies EventsState;
        return events;
      },
    },
  },
  [statsType]: {
    methods: {
      [`getPackageName()${S}`]: (machine, me) => machine.string(usedOf(me).packageName),
      'getLastTimeUsed()J': (_machine, me) => usedOf(me).time,
      'getLastTimeStamp()J': (_machine, me) => usedOf(me).time,
      'getTotalTimeInForeground()J': () => 1_260_000n,
    },
  },
  [eventsType]: {
    methods: {
      'hasNextEvent()Z': (_machine, me) => (eventsOf(me).waiting.length > 0 ? 1 : 0),
      [`getNextEvent(!${eventType})Z`]: (_machine, me, event: HeapObject) => {
        const next = eventsOf(me).waiting.shift();
        if (next === undefined) return 0;
        event.native = next;
        return 1;
      },
    },
  },
  [eventType]: {
    methods: {
      '<init>()V': nothing,
      [`getPackageName()${S}`]: (machine, me) => machine.string(usedOf(me).packageName),
      [`getClassName()${S}`]: (machine, me) => machine.string(`${usedOf(me).packageName}.MainActivity`),
      'getEventType()I': () => movedToForeground,
      'getTimeStamp()J': (_machine, me) => usedOf(me).time,
    },
  },
};
