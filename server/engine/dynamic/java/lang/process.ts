// java.lang.Process and ProcessBuilder: programs the app starts; the world answers for them. Runs nothing.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass } from '../../machine/model.ts';
import { javaHooks, type ProcessStart } from '../hooks.ts';
import { type BufferInput, bufferInput } from '../io/byte-input.ts';
import { type ByteOutput, nativeOutput } from '../io/byte-output.ts';
import { elementsOf } from '../util/iteration.ts';
import { instance, ioException, type Reference, referencesOf, required, textOf } from '../values.ts';

interface Running {
  readonly input: HeapObject;
  readonly error: HeapObject;
  readonly output: HeapObject;
  exitCode: number;
}

/** Characters of a line; what is longer comes in pieces. */
const maxLine = 1 << 16;

/**
 * A running program's standard input: it reads lines, and what they make it print comes into `out`. What is flushed it
 * has, whether or not that is a whole line.
 */
function lineOutput(machine: Machine, start: ProcessStart, out: BufferInput): ByteOutput {
  // Bytes as characters, as apps may write one by one.
  let pending = '';
  let taint = 0;
  const end = () => {
    const line = Buffer.from(pending, 'latin1').toString().trim();
    if (line !== '') out.add(javaHooks(machine).processInput(machine, start, line, taint), taint);
    pending = '';
    taint = 0;
  };
  return {
    write: (data, more) => {
      for (const [index, part] of Buffer.from(data).toString('latin1').split('\n').entries()) {
        if (index > 0 || pending.length > maxLine) end();
        pending += part;
        taint = machine.union(taint, more);
      }
    },
    flush: end,
    close: end,
  };
}

/** Starts a program of the phone. @throws JavaThrow IOException where no program has this name */
export function startProcess(machine: Machine, start: ProcessStart): HeapObject {
  const program = start.command[0] ?? '';
  const answer = javaHooks(machine).exec(machine, start);
  if (answer === null) {
    throw ioException(machine, `Cannot run program "${program}": error=2, No such file or directory`);
  }
  const out = bufferInput(answer.output, answer.taint ?? 0);
  const native: Running = {
    input: instance(machine, 'Ljava/io/NativeInputStream;', out),
    error: instance(machine, 'Ljava/io/NativeInputStream;', bufferInput(answer.error, answer.taint ?? 0)),
    output: nativeOutput(machine, lineOutput(machine, start, out)),
    exitCode: answer.exitCode,
  };
  return instance(machine, 'Ljava/lang/ProcessImpl;', native);
}

interface Building {
  command: string[];
  taint: number;
  directory: HeapObject | null;
  environment: HeapObject | null;
  mergesError: boolean;
}

function building(self: HeapObject): Building {
  return self.native as Building;
}

function listTexts(machine: Machine, list: Reference): string[] {
  return elementsOf(machine, required(machine, list)).map((entry) => textOf(machine, entry));
}

function begin(self: HeapObject, command: string[], taint: number): undefined {
  self.native = { command, taint, directory: null, environment: null, mergesError: false } satisfies Building;
}

function environmentOf(machine: Machine, state: Building): Record<string, string> {
  const variables: Record<string, string> = {};
  if (state.environment === null) return { ...javaHooks(machine).environment };
  const entries = machine.call(state.environment, 'entrySet()Ljava/util/Set;') as HeapObject;
  for (const entry of elementsOf(machine, entries)) {
    const key = machine.call(entry!, 'getKey()Ljava/lang/Object;') as Reference;
    const value = machine.call(entry!, 'getValue()Ljava/lang/Object;') as Reference;
    variables[textOf(machine, key)] = textOf(machine, value);
  }
  return variables;
}

const arrayTexts = (machine: Machine, array: JavaArray): string[] =>
  referencesOf(required(machine, array)).map((entry) => textOf(machine, entry));

export const processModels: Record<string, ModelClass> = {
  'Ljava/lang/Process;': {
    isAbstract: true,
    methods: { '<init>()V': () => undefined },
    abstractMethods: [
      'getOutputStream()Ljava/io/OutputStream;',
      'getInputStream()Ljava/io/InputStream;',
      'getErrorStream()Ljava/io/InputStream;',
      'waitFor()I',
      'exitValue()I',
      'destroy()V',
    ],
  },
  'Ljava/lang/ProcessImpl;': {
    extends: 'Ljava/lang/Process;',
    methods: {
      'getOutputStream()Ljava/io/OutputStream;': (_machine, self) => (self.native as Running).output,
      'getInputStream()Ljava/io/InputStream;': (_machine, self) => (self.native as Running).input,
      'getErrorStream()Ljava/io/InputStream;': (_machine, self) => (self.native as Running).error,
      'waitFor()I': (_machine, self) => (self.native as Running).exitCode,
      'waitFor(JLjava/util/concurrent/TimeUnit;)Z': () => 1,
      'exitValue()I': (_machine, self) => (self.native as Running).exitCode,
      'isAlive()Z': () => 0,
      'pid()J': () => 12_345n,
      'destroy()V': () => undefined,
      'destroyForcibly()Ljava/lang/Process;': (_machine, self) => self,
    },
  },
  'Ljava/lang/ProcessBuilder;': {
    methods: {
      '<init>(![Ljava/lang/String;)V': (machine, self, command: JavaArray) =>
        begin(self, arrayTexts(machine, command), machine.deepTaint(command)),
      '<init>(Ljava/util/List;)V': (machine, self, command: Reference) =>
        begin(self, listTexts(machine, command), machine.deepTaint(command)),
      'command([Ljava/lang/String;)Ljava/lang/ProcessBuilder;': (machine, self, command: JavaArray) => {
        building(self).command = arrayTexts(machine, command);
        building(self).taint = machine.deepTaint(command);
        return self;
      },
      'command(Ljava/util/List;)Ljava/lang/ProcessBuilder;': (machine, self, command: Reference) => {
        building(self).command = listTexts(machine, command);
        building(self).taint = machine.deepTaint(command);
        return self;
      },
      'command()Ljava/util/List;': (machine, self) => {
        const list = machine.construct('Ljava/util/ArrayList;', '<init>()V');
        for (const word of building(self).command) {
          machine.call(list, 'add(Ljava/lang/Object;)Z', machine.string(word, building(self).taint));
        }
        return list;
      },
      'directory(!Ljava/io/File;)Ljava/lang/ProcessBuilder;': (_machine, self, directory: HeapObject) => {
        building(self).directory = directory;
        return self;
      },
      'directory()Ljava/io/File;': (_machine, self) => building(self).directory,
      'environment()Ljava/util/Map;': (machine, self) => {
        const state = building(self);
        state.environment ??= machine.callStatic('Ljava/lang/System;', 'getenv()Ljava/util/Map;') as HeapObject;
        return state.environment;
      },
      'redirectErrorStream(Z)Ljava/lang/ProcessBuilder;': (_machine, self, merges: number) => {
        building(self).mergesError = merges !== 0;
        return self;
      },
      'redirectErrorStream()Z': (_machine, self) => Number(building(self).mergesError),
      'start()Ljava/lang/Process;': (machine, self) => {
        const state = building(self);
        if (state.command.length === 0) throw machine.exception('Ljava/lang/IndexOutOfBoundsException;');
        return startProcess(machine, {
          command: state.command,
          environment: environmentOf(machine, state),
          directory: state.directory === null ? null : machine.toText(state.directory).text,
          taint: state.taint,
        });
      },
    },
  },
};
