// What runs without a screen and without the system's asking: programs that `app_process` starts, and instrumentations that
// `am instrument` does. Knows no component.
import { isKnownLibrary } from '../../app/known-libraries.ts';
import { classData } from '../../formats/dex/class-data.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { callApp } from '../android/components/activity-life.ts';
import { descriptorOf } from '../android/model-parts.ts';
import type { AppProcess } from './app-process.ts';
import { shortWait } from './budget.ts';

const main = 'main([Ljava/lang/String;)V';
const publicStatic = 0x1 | 0x8;
const maxPrograms = 10;

/** Runs the instrumentations of the manifest, then each program of the app's own. */
export function runPrograms(process: AppProcess, dexFiles: readonly Dex[]): void {
  const { machine, app } = process;
  for (const { name } of app.plan.manifest.instrumentations.slice(0, maxPrograms)) {
    const descriptor = descriptorOf(name);
    if (machine.findClass(descriptor)?.isApp !== true) continue;
    const run = () => {
      const instrumentation = machine.construct(descriptor, '<init>()V');
      const bundle = machine.construct('Landroid/os/Bundle;', '<init>()V');
      machine.call(instrumentation, 'onCreate(Landroid/os/Bundle;)V', bundle);
    };
    process.run(name, () => void callApp(machine, name, run), {
      by: 'system',
      what: `started the instrumentation ${name}`,
    });
    process.wait(shortWait);
  }
  for (const descriptor of programsIn(dexFiles, app.packageName)) {
    const cls = machine.findClass(descriptor);
    if (cls === null) continue;
    const run = () => machine.callStatic(descriptor, main, machine.array('Ljava/lang/String;', 0));
    process.run(cls.name, () => void callApp(machine, cls.name, run), {
      by: 'system',
      what: `started the program ${cls.name}`,
    });
    process.wait(shortWait);
  }
}

/** Classes of the app's own with a `main`. */
function programsIn(dexFiles: readonly Dex[], packageName: string): string[] {
  const found: string[] = [];
  for (const dex of dexFiles) {
    for (let index = 0; index < dex.classCount && found.length < maxPrograms; index++) {
      const descriptor = dex.className(index);
      if (isKnownLibrary(descriptor, packageName)) continue;
      const hasMain = classData(dex, index).directMethods.some(
        ({ methodIndex, accessFlags }) =>
          (accessFlags & publicStatic) === publicStatic &&
          dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex) === main,
      );
      if (hasMain) found.push(descriptor);
    }
  }
  return found;
}
