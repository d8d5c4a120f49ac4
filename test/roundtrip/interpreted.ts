// What programs print in the project's interpreter. Knows no compiler.
import { setJavaHooks } from '../../server/engine/dynamic/java/hooks.ts';
import { ProcessExit, RunEnd } from '../../server/engine/dynamic/machine/limits.ts';
import { JavaError, testMachine } from '../fixtures/dynamic/machine/test-machine.ts';

export interface Printed {
  /** With the exception that ended it on a line of its own. */
  readonly text: string;
  /** Why it was not run to its end, such as a limit; null where it was. */
  readonly cut: string | null;
}

/** Places in sources, as stack traces show them. */
const places = /\((?:[^()\n]*\.java(?::\d+)?|Unknown Source|SourceFile(?::\d+)?)\)/g;

/** Runs main methods one after the other on one machine. @param mains names as in sources, `a.b.Main` */
export function interpreted(dex: Uint8Array, mains: readonly string[]): Map<string, Printed> {
  const results = new Map<string, Printed>();
  for (const main of mains) results.set(main, interpretedAlone(dex, main));
  return results;
}

function interpretedAlone(dex: Uint8Array, main: string): Printed {
  const limits = { instructions: 30_000_000, cpuMilliseconds: 10_000, frames: 1500 };
  const { machine, call, uncaught } = testMachine([dex], { limits, isTolerant: true });
  let text = '';
  let cut: string | null = null;
  setJavaHooks(machine, {
    log: (_machine, _level, _tag, message) => {
      text += `${message}\n`;
    },
  });
  try {
    call(`L${main.replaceAll('.', '/')};`, 'main([Ljava/lang/String;)V', machine.objectArray('Ljava/lang/String;', []));
  } catch (error) {
    if (error instanceof JavaError) text += `\n${error.message}`;
    else if (error instanceof ProcessExit) text += `\nexit ${error.status}`;
    else if (error instanceof RunEnd) cut = error.message;
    else cut = `the machine failed: ${error}`;
  }
  if (uncaught.length > 0) text += `\n${uncaught.join('\n')}`;
  return { text: text.replace(places, '()'), cut };
}
