// Models of processes and of what runs: Process, ActivityManager, Debug, StrictMode. Knows no component's life.
import type { HeapObject } from '../../machine/heap.ts';
import { ProcessExit } from '../../machine/limits.ts';
import type { Machine, Models, NativeMethods } from '../../machine/model.ts';
import { worldOf } from '../../world/world.ts';
import { appOf } from '../components/app.ts';
import { newComponentName } from '../components/component-name.ts';
import { always, each, listOf, no, nothing, yes } from '../model-parts.ts';
import { recentApps } from './app-usage.ts';

const ownProcess = 14_233;
const ownUser = 10_217;

const runningProcess = (machine: Machine): HeapObject => {
  const info = machine.allocate('Landroid/app/ActivityManager$RunningAppProcessInfo;');
  machine.setField(info, 'processName', machine.string(appOf(machine).packageName));
  machine.setField(info, 'pid', ownProcess);
  machine.setField(info, 'uid', ownUser);
  machine.setField(info, 'importance', 100);
  return info;
};

const activityManagerMethods: NativeMethods = {
  'getRunningAppProcesses()Ljava/util/List;': (machine) => listOf(machine, [runningProcess(machine)]),
  'getRunningTasks(I)Ljava/util/List;': (machine) => {
    const task = machine.allocate('Landroid/app/ActivityManager$RunningTaskInfo;');
    const { front, packageName } = appOf(machine);
    const other = recentApps(machine)[0]!;
    const name = newComponentName(machine, {
      packageName: front === null ? other : packageName,
      className: front === null ? `${other}.MainActivity` : front.component.name,
      taint: 0,
    });
    machine.setField(task, 'topActivity', name);
    machine.setField(task, 'baseActivity', name);
    return listOf(machine, [task]);
  },
  'getRunningServices(I)Ljava/util/List;': (machine) => listOf(machine, []),
  'getRecentTasks(II)Ljava/util/List;': (machine) => listOf(machine, []),
  'getMemoryInfo(!Landroid/app/ActivityManager$MemoryInfo;)V': (machine, _me, info: HeapObject) => {
    machine.setField(info, 'totalMem', BigInt(worldOf(machine).device.totalMemory));
    machine.setField(info, 'availMem', 1_669_250_000n);
    machine.setField(info, 'threshold', 226_492_416n);
  },
  'getMemoryClass()I': always(256),
  'getLargeMemoryClass()I': always(512),
  'isLowRamDevice()Z': no,
  'moveTaskToFront(II)V': nothing,
  'getDeviceConfigurationInfo()Landroid/content/pm/ConfigurationInfo;': (machine) =>
    machine.allocate('Landroid/content/pm/ConfigurationInfo;'),
};

export const processModels: Models = {
  'Landroid/os/Process;': {
    staticMethods: {
      'myPid()I': always(ownProcess),
      'myUid()I': always(ownUser),
      'myTid()I': always(ownProcess),
      // An app can end no process but its own.
      'killProcess(I)V': (_machine, process: number) => {
        if (process === ownProcess) throw new ProcessExit(9);
      },
      'sendSignal(II)V': (_machine, process: number, signal: number) => {
        if (process === ownProcess && (signal === 9 || signal === 15)) throw new ProcessExit(signal);
      },
      'setThreadPriority(I)V': nothing,
      'setThreadPriority(II)V': nothing,
      'getThreadPriority(I)I': no,
      'is64Bit()Z': yes,
      'getElapsedCpuTime()J': (machine) => BigInt(Math.trunc(machine.clock.elapsed)),
    },
  },
  'Landroid/os/Debug;': {
    staticMethods: {
      'isDebuggerConnected()Z': no,
      'waitingForDebugger()Z': no,
      'getNativeHeapSize()J': () => 33_554_432n,
      'getNativeHeapAllocatedSize()J': () => 21_201_392n,
      'threadCpuTimeNanos()J': (machine) => BigInt(Math.trunc(machine.clock.elapsed)) * 1_000_000n,
      'getPss()J': () => 80_123n,
    },
  },
  'Landroid/os/StrictMode;': {
    staticMethods: each(
      nothing,
      'setThreadPolicy(Landroid/os/StrictMode$ThreadPolicy;)V',
      'setVmPolicy(Landroid/os/StrictMode$VmPolicy;)V',
      'enableDefaults()V',
    ),
  },
  'Landroid/app/ActivityManager;': {
    methods: activityManagerMethods,
    staticMethods: {
      'isUserAMonkey()Z': no,
      'isRunningInTestHarness()Z': no,
      'getMyMemoryState(Landroid/app/ActivityManager$RunningAppProcessInfo;)V': nothing,
    },
  },
  'Landroid/app/ActivityManager$MemoryInfo;': {
    fields: ['totalMem:J', 'availMem:J', 'threshold:J', 'lowMemory:Z'],
    methods: { '<init>()V': nothing },
  },
  'Landroid/app/ActivityManager$RunningAppProcessInfo;': {
    fields: ['processName:Ljava/lang/String;', 'pid:I', 'uid:I', 'importance:I', 'pkgList:[Ljava/lang/String;'],
    methods: { '<init>()V': nothing },
  },
  'Landroid/app/ActivityManager$RunningTaskInfo;': {
    fields: [
      'topActivity:Landroid/content/ComponentName;',
      'baseActivity:Landroid/content/ComponentName;',
      'id:I',
      'numActivities:I',
      'numRunning:I',
    ],
  },
  'Landroid/os/Trace;': {
    staticMethods: each(nothing, 'beginSection(Ljava/lang/String;)V', 'endSection()V'),
  },
};
