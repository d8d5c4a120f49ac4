// Models of the clock since boot, of countdowns and alarms, and of the power that keeps them going. Knows no handler.
import { made } from '../../java/values.ts';
import type { HeapObject, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { post } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { handOver, takeBack } from '../components/delivery.ts';
import { each, no, nothing, type Reference, yes } from '../model-parts.ts';

/** Milliseconds between the switching on of the phone and the start of the app: some hours, as on a phone in use. */
const bootAge = 19_437_000;
/** Milliseconds since the phone was switched on. */
export const uptime = (machine: Machine): number => machine.clock.elapsed + bootAge;

interface CountdownState {
  readonly total: number;
  readonly interval: number;
  isCancelled: boolean;
}

/** A countdown tells of this many ticks at most. */
const maxTicks = 200;

function startCountdown(machine: Machine, timer: HeapObject): HeapObject {
  const state = timer.native as CountdownState;
  state.isCancelled = false;
  const start = machine.clock.elapsed;
  let ticks = 0;
  const tick = () => {
    if (state.isCancelled) return;
    const left = state.total - (machine.clock.elapsed - start);
    ticks += 1;
    if (left <= 0 || ticks > maxTicks) {
      machine.call(timer, 'onFinish()V');
      return;
    }
    machine.call(timer, 'onTick(J)V', BigInt(Math.round(left)));
    post(machine, Math.max(1, Math.min(state.interval, left)), timer.cls.name, tick);
  };
  post(machine, 0, timer.cls.name, tick);
  return timer;
}

const setAlarm: NativeMethod = (machine, _me, ...args: Value[]) => {
  const pending = args.findLast(
    (arg) => arg !== null && typeof arg === 'object' && arg.cls.descriptor === 'Landroid/app/PendingIntent;',
  );
  if (pending !== undefined) handOver(machine, pending as HeapObject, 'alarm', false);
  const listener = args.find(
    (arg) =>
      arg !== null &&
      typeof arg === 'object' &&
      machine.isInstance(arg as HeapObject, 'Landroid/app/AlarmManager$OnAlarmListener;'),
  ) as Reference | undefined;
  if (listener) {
    const app = appOf(machine);
    app.listen(`alarm#${app.numberOf(listener)}`, {
      kind: 'alarm',
      isOnce: true,
      fire: () => machine.call(listener, 'onAlarm()V'),
    });
  }
};

const alarmTypes = ['IJLandroid/app/PendingIntent;', 'IJJLandroid/app/PendingIntent;'];

const alarmMethods: NativeMethods = {
  ...Object.fromEntries(
    [
      'set',
      'setExact',
      'setAndAllowWhileIdle',
      'setExactAndAllowWhileIdle',
      'setRepeating',
      'setInexactRepeating',
      'setWindow',
    ].flatMap((name) => alarmTypes.map((types) => [`${name}(${types})V`, setAlarm])),
  ),
  'setWindow(IJJLandroid/app/PendingIntent;)V': setAlarm,
  'setExact(IJLjava/lang/String;Landroid/app/AlarmManager$OnAlarmListener;Landroid/os/Handler;)V': setAlarm,
  'set(IJLjava/lang/String;Landroid/app/AlarmManager$OnAlarmListener;Landroid/os/Handler;)V': setAlarm,
  'setAlarmClock(Landroid/app/AlarmManager$AlarmClockInfo;Landroid/app/PendingIntent;)V': setAlarm,
  'cancel(Landroid/app/PendingIntent;)V': (machine, _me, pending: Reference) => takeBack(machine, pending, 'alarm'),
  'cancel(!Landroid/app/AlarmManager$OnAlarmListener;)V': (machine, _me, listener: HeapObject) =>
    appOf(machine).unlisten(`alarm#${appOf(machine).numberOf(listener)}`),
  'setTime(J)V': nothing,
  'setTimeZone(Ljava/lang/String;)V': nothing,
  'canScheduleExactAlarms()Z': yes,
};

export const clockModels: Models = {
  'Landroid/os/CountDownTimer;': {
    methods: {
      '<init>(JJ)V': made(
        (_machine, total: bigint, interval: bigint) =>
          ({
            total: Number(total),
            interval: Math.max(1, Number(interval)),
            isCancelled: false,
          }) satisfies CountdownState,
      ),
      'start()Landroid/os/CountDownTimer;': startCountdown,
      'cancel()V': (_machine, me) => {
        (me.native as CountdownState).isCancelled = true;
      },
      'onTick(J)V': nothing,
      'onFinish()V': nothing,
    },
  },
  'Landroid/app/AlarmManager;': { methods: alarmMethods },
  'Landroid/app/AlarmManager$OnAlarmListener;': { isInterface: true, abstractMethods: ['onAlarm()V'] },
  'Landroid/os/PowerManager;': {
    methods: {
      'newWakeLock(ILjava/lang/String;)Landroid/os/PowerManager$WakeLock;': (machine) =>
        machine.allocate('Landroid/os/PowerManager$WakeLock;'),
      'isScreenOn()Z': yes,
      'isInteractive()Z': yes,
      'isPowerSaveMode()Z': no,
      'isDeviceIdleMode()Z': no,
      'isIgnoringBatteryOptimizations(Ljava/lang/String;)Z': yes,
      'reboot(Ljava/lang/String;)V': nothing,
    },
  },
  'Landroid/os/PowerManager$WakeLock;': {
    methods: {
      ...each(nothing, 'acquire()V', 'acquire(J)V', 'release()V', 'setReferenceCounted(Z)V'),
      'isHeld()Z': yes,
    },
  },
  'Landroid/os/SystemClock;': {
    staticMethods: {
      'elapsedRealtime()J': (machine) => BigInt(Math.round(uptime(machine))),
      'elapsedRealtimeNanos()J': (machine) => BigInt(Math.round(uptime(machine))) * 1_000_000n,
      'uptimeMillis()J': (machine) => BigInt(Math.round(uptime(machine))),
      'currentThreadTimeMillis()J': (machine) => BigInt(Math.round(machine.clock.elapsed)),
      'sleep(J)V': (machine, milliseconds: bigint) =>
        machine.blockThen(
          () => false,
          Number(milliseconds),
          () => undefined,
        ),
    },
  },
};
