// java.lang.Throwable, its stack traces, and the exceptions that the machine itself throws. Knows no handlers.
import { codeAt } from '../../../formats/dex/code-item.ts';
import { debugInfoOf } from '../../../formats/dex/debug-info.ts';
import { noIndex } from '../../../formats/dex/dex.ts';
import { type HeapObject, type JavaArray, JavaString } from '../heap.ts';
import type { Machine, ModelClass, Models } from '../model.ts';
import { runtimeOf } from '../runtime.ts';
import { type TraceEntry, throwableState } from '../throwable-state.ts';

type Reference = HeapObject | null;

const throwable = 'Ljava/lang/Throwable;';
const traceElement = 'Ljava/lang/StackTraceElement;';

/** State of a `java.lang.StackTraceElement`. */
interface TraceElementState {
  readonly className: string;
  readonly methodName: string;
  readonly fileName: string | null;
  /** -1 unknown, -2 a native method. */
  readonly line: number;
}

/** Where the running thread is, without the constructors of the exception that is being made. */
function traceFor(machine: Machine, self: HeapObject): readonly TraceEntry[] {
  const trace = runtimeOf(machine).trace();
  let skip = 0;
  while (
    skip < trace.length &&
    trace[skip]!.method.isConstructor &&
    machine.isSubclass(self.cls, trace[skip]!.method.owner)
  ) {
    skip++;
  }
  return trace.slice(skip);
}

function fill(machine: Machine, self: HeapObject, message: Reference, cause: Reference): undefined {
  const state = throwableState(self);
  state.message = message instanceof JavaString ? message : null;
  state.cause = cause;
  state.trace = traceFor(machine, self);
}

function elementState({ method, address }: TraceEntry): TraceElementState {
  const { owner } = method;
  let line = address < 0 ? -2 : -1;
  let fileName: string | null = null;
  if (owner.dex !== null && address >= 0) {
    const source = owner.dex.classDef(owner.classDefIndex).sourceFileIndex;
    fileName = source === noIndex ? null : owner.dex.stringOrNull(source);
    const code = codeAt(owner.dex, method.codeOffset);
    if (code !== null) {
      for (const event of debugInfoOf(owner.dex, code).events) {
        if (event.address > address) break;
        if (event.kind === 'line') line = event.line;
      }
    }
  }
  return { className: owner.name, methodName: method.name, fileName, line };
}

export function traceElements(
  machine: Machine,
  trace: readonly TraceEntry[],
  above: readonly TraceElementState[] = [],
): JavaArray {
  return machine.objectArray(
    traceElement,
    [...above, ...trace.map(elementState)].map((state) => {
      const element = machine.allocate(traceElement);
      element.native = state;
      return element;
    }),
  );
}

/** What stands above the caller in the trace of a running thread: programs count from there. */
export const threadTraceStart: readonly TraceElementState[] = [
  { className: 'dalvik.system.VMStack', methodName: 'getThreadStackTrace', fileName: null, line: -2 },
  { className: 'java.lang.Thread', methodName: 'getStackTrace', fileName: 'Thread.java', line: 1720 },
];

function stackTraceOf(machine: Machine, self: HeapObject): JavaArray {
  const state = throwableState(self);
  state.givenTrace ??= traceElements(machine, state.trace);
  return state.givenTrace as JavaArray;
}

function elementText({ className, methodName, fileName, line }: TraceElementState): string {
  if (line === -2) return `${className}.${methodName}(Native Method)`;
  const where =
    fileName === null
      ? line >= 0
        ? `Unknown Source:${line}`
        : 'Unknown Source'
      : line >= 0
        ? `${fileName}:${line}`
        : fileName;
  return `${className}.${methodName}(${where})`;
}

/** As `printStackTrace` writes it, causes included. */
function stackTraceText(machine: Machine, self: HeapObject): string {
  const lines: string[] = [];
  let current: Reference = self;
  for (let depth = 0; current !== null && depth < 16; depth++) {
    lines.push(`${depth === 0 ? '' : 'Caused by: '}${machine.toText(current).text}`);
    for (const element of stackTraceOf(machine, current).elements as Reference[]) {
      if (element !== null) lines.push(`\tat ${elementText(element.native as TraceElementState)}`);
    }
    const cause: Reference = throwableState(current).cause;
    current = cause === current ? null : cause;
  }
  return `${lines.join('\n')}\n`;
}

function describe(machine: Machine, self: HeapObject): JavaString {
  const message = machine.call(self, 'getLocalizedMessage()Ljava/lang/String;');
  if (!(message instanceof JavaString)) return machine.string(self.cls.name);
  return machine.string(`${self.cls.name}: ${message.text}`, message.taint);
}

/** Writes the lines to a PrintStream or PrintWriter, whichever model is there. */
function printTo(machine: Machine, self: HeapObject, target: Reference): undefined {
  if (target === null) throw machine.exception('Ljava/lang/NullPointerException;');
  const { taint } = describe(machine, self);
  machine.call(target, 'print(Ljava/lang/String;)V', machine.string(stackTraceText(machine, self), taint));
}

const throwableModel: ModelClass = {
  implements: ['Ljava/io/Serializable;'],
  methods: {
    '<init>()V': (machine, self) => fill(machine, self, null, null),
    '<init>(Ljava/lang/String;)V': (machine, self, message: Reference) => fill(machine, self, message, null),
    '<init>(Ljava/lang/String;Ljava/lang/Throwable;)V': fill,
    '<init>(Ljava/lang/Throwable;)V': (machine, self, cause: Reference) =>
      fill(machine, self, cause === null ? null : machine.toText(cause), cause),
    '<init>(Ljava/lang/String;Ljava/lang/Throwable;ZZ)V': fill,
    'getMessage()Ljava/lang/String;': (_machine, self) => throwableState(self).message,
    'getLocalizedMessage()Ljava/lang/String;': (machine, self) => machine.call(self, 'getMessage()Ljava/lang/String;'),
    'getCause()Ljava/lang/Throwable;': (_machine, self) => throwableState(self).cause,
    'initCause(Ljava/lang/Throwable;)Ljava/lang/Throwable;': (_machine, self, cause: Reference) => {
      throwableState(self).cause = cause;
      return self;
    },
    'fillInStackTrace()Ljava/lang/Throwable;': (machine, self) => {
      const state = throwableState(self);
      state.trace = traceFor(machine, self);
      state.givenTrace = null;
      return self;
    },
    'getStackTrace()[Ljava/lang/StackTraceElement;': stackTraceOf,
    'setStackTrace([Ljava/lang/StackTraceElement;)V': (_machine, self, trace: JavaArray | null) => {
      throwableState(self).givenTrace = trace;
    },
    'addSuppressed(Ljava/lang/Throwable;)V': (_machine, self, other: Reference) => {
      if (other !== null) throwableState(self).suppressed.push(other);
    },
    'getSuppressed()[Ljava/lang/Throwable;': (machine, self) =>
      machine.objectArray(throwable, throwableState(self).suppressed),
    'toString()Ljava/lang/String;': describe,
    'printStackTrace()V': (machine, self) =>
      printTo(machine, self, machine.getStatic('Ljava/lang/System;', 'err') as Reference),
    'printStackTrace(Ljava/io/PrintStream;)V': printTo,
    'printStackTrace(Ljava/io/PrintWriter;)V': printTo,
  },
};

const elementModel: ModelClass = {
  methods: {
    '<init>(!Ljava/lang/String;!Ljava/lang/String;Ljava/lang/String;I)V': (
      _machine,
      self,
      cls: JavaString,
      method: JavaString,
      file: JavaString | null,
      line: number,
    ) => {
      const state: TraceElementState = {
        className: cls.text,
        methodName: method.text,
        fileName: file?.text ?? null,
        line,
      };
      self.native = state;
    },
    'getClassName()Ljava/lang/String;': (machine, self) => machine.string((self.native as TraceElementState).className),
    'getMethodName()Ljava/lang/String;': (machine, self) =>
      machine.string((self.native as TraceElementState).methodName),
    'getFileName()Ljava/lang/String;': (machine, self) => {
      const { fileName } = self.native as TraceElementState;
      return fileName === null ? null : machine.string(fileName);
    },
    'getLineNumber()I': (_machine, self) => (self.native as TraceElementState).line,
    'isNativeMethod()Z': (_machine, self) => ((self.native as TraceElementState).line === -2 ? 1 : 0),
    'toString()Ljava/lang/String;': (machine, self) => machine.string(elementText(self.native as TraceElementState)),
  },
};

/** Name and superclass of what the machine itself throws. */
const hierarchy = `
Exception Throwable
Error Throwable
RuntimeException Exception
ReflectiveOperationException Exception
InterruptedException Exception
CloneNotSupportedException Exception
ClassNotFoundException ReflectiveOperationException
NoSuchMethodException ReflectiveOperationException
NoSuchFieldException ReflectiveOperationException
IllegalAccessException ReflectiveOperationException
InstantiationException ReflectiveOperationException
ArithmeticException RuntimeException
ArrayStoreException RuntimeException
ClassCastException RuntimeException
IllegalArgumentException RuntimeException
IllegalThreadStateException IllegalArgumentException
IllegalMonitorStateException RuntimeException
IllegalStateException RuntimeException
IndexOutOfBoundsException RuntimeException
ArrayIndexOutOfBoundsException IndexOutOfBoundsException
NegativeArraySizeException RuntimeException
NullPointerException RuntimeException
SecurityException RuntimeException
UnsupportedOperationException RuntimeException
LinkageError Error
VirtualMachineError Error
ThreadDeath Error
BootstrapMethodError LinkageError
ClassCircularityError LinkageError
ExceptionInInitializerError LinkageError
IncompatibleClassChangeError LinkageError
NoClassDefFoundError LinkageError
UnsatisfiedLinkError LinkageError
VerifyError LinkageError
AbstractMethodError IncompatibleClassChangeError
IllegalAccessError IncompatibleClassChangeError
InstantiationError IncompatibleClassChangeError
NoSuchFieldError IncompatibleClassChangeError
NoSuchMethodError IncompatibleClassChangeError
InternalError VirtualMachineError
OutOfMemoryError VirtualMachineError
StackOverflowError VirtualMachineError
`;

const exceptions: Record<string, ModelClass> = {};
for (const line of hierarchy.trim().split('\n')) {
  const [name, superclass] = line.split(' ');
  exceptions[`Ljava/lang/${name};`] = { extends: `Ljava/lang/${superclass};` };
}

export const throwableModels: Models = {
  [throwable]: throwableModel,
  [traceElement]: elementModel,
  ...exceptions,
  'Ljava/lang/reflect/InvocationTargetException;': {
    extends: 'Ljava/lang/ReflectiveOperationException;',
    methods: {
      'getTargetException()Ljava/lang/Throwable;': (_machine, self) => throwableState(self).cause,
    },
  },
  'Ljava/lang/reflect/UndeclaredThrowableException;': { extends: 'Ljava/lang/RuntimeException;' },
  'Ljava/lang/invoke/WrongMethodTypeException;': { extends: 'Ljava/lang/RuntimeException;' },
};
