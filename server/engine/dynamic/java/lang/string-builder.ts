// java.lang.StringBuilder and StringBuffer: text that grows, with the union of what went in. Knows no streams.
import type { HeapObject, JavaArray, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { reportMade } from '../hooks.ts';
import {
  arrayTaint,
  charSequenceText,
  charsToText,
  made,
  objectTaint,
  type Reference,
  required,
  setElementTaint,
  textOf,
} from '../values.ts';
import { doubleText, floatText } from './number-text.ts';
import { compareText } from './string.ts';

/** The `native` of a builder: JavaScript's ropes make appending cheap. */
interface Growing {
  text: string;
}

function stateOf(self: HeapObject): Growing {
  let state = self.native as Growing | undefined;
  if (state === undefined) {
    state = { text: '' };
    self.native = state;
  }
  return state;
}

function absorb(machine: Machine, self: HeapObject, taint: Taint): void {
  if (taint !== 0) self.taint = machine.union(self.taint, taint);
  const control = machine.controlTaint;
  if (control !== 0) self.taint = machine.union(self.taint, control);
}

function append(machine: Machine, self: HeapObject, text: string, taint: Taint): HeapObject {
  const state = stateOf(self);
  machine.charge(text.length * 2);
  state.text += text;
  absorb(machine, self, taint);
  return self;
}

function appendObject(machine: Machine, self: HeapObject, value: Reference): HeapObject {
  const text = machine.toText(value);
  return append(machine, self, text.text, machine.union(text.taint, value?.taint ?? 0));
}

function appendChars(machine: Machine, self: HeapObject, chars: JavaArray, from: number, to: number): HeapObject {
  if (from < 0 || to < from || to > required(machine, chars).elements.length) throw range(machine, from, to);
  const text = charsToText(chars.elements as Uint16Array, from, to);
  return append(machine, self, text, arrayTaint(machine, chars, from, to));
}

function range(machine: Machine, start: number, end: number) {
  return machine.exception('Ljava/lang/StringIndexOutOfBoundsException;', `start ${start}, end ${end}`);
}

function insert(machine: Machine, self: HeapObject, offset: number, text: string, taint: Taint): HeapObject {
  const state = stateOf(self);
  if (offset < 0 || offset > state.text.length) {
    throw machine.exception(
      'Ljava/lang/StringIndexOutOfBoundsException;',
      `offset ${offset}, length ${state.text.length}`,
    );
  }
  machine.charge(text.length * 2);
  state.text = state.text.slice(0, offset) + text + state.text.slice(offset);
  absorb(machine, self, taint);
  return self;
}

function replaceRange(machine: Machine, self: HeapObject, start: number, end: number, text: string, taint: Taint) {
  const state = stateOf(self);
  const stop = Math.min(end, state.text.length);
  if (start < 0 || start > state.text.length || start > stop) throw range(machine, start, end);
  state.text = state.text.slice(0, start) + text + state.text.slice(stop);
  if (state.text === '') self.taint = 0;
  absorb(machine, self, taint);
  return self;
}

function setLength(machine: Machine, self: HeapObject, length: number): undefined {
  if (length < 0) throw range(machine, 0, length);
  const state = stateOf(self);
  machine.charge(Math.max(0, length - state.text.length) * 2);
  state.text = state.text.slice(0, length).padEnd(length, '\0');
  if (length === 0) self.taint = machine.controlTaint;
}

function checked(machine: Machine, self: HeapObject, index: number): string {
  const { text } = stateOf(self);
  if (index < 0 || index >= text.length) {
    throw machine.exception('Ljava/lang/StringIndexOutOfBoundsException;', `index ${index},length ${text.length}`);
  }
  return text;
}

function reversed(text: string): string {
  // Surrogate pairs keep their order, as Java has it.
  let result = '';
  for (const character of text) result = character + result;
  return result;
}

const primitiveTexts: Readonly<Record<string, (value: never) => string>> = {
  Z: (value: number) => (value !== 0 ? 'true' : 'false'),
  C: (value: number) => String.fromCharCode(value),
  I: (value: number) => String(value),
  J: (value: bigint) => String(value),
  F: floatText,
  D: doubleText,
};

/** What both classes have under the same signature. */
const changes: NativeMethods = {
  '<init>()V': made(() => ({ text: '' })),
  '<init>(I)V': (machine, self, capacity: number) => {
    if (capacity < 0) throw machine.exception('Ljava/lang/NegativeArraySizeException;', String(capacity));
    self.native = { text: '' };
  },
  '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) => {
    self.native = { text: '' };
    append(machine, self, textOf(machine, text), objectTaint(machine, text));
  },
  '<init>(Ljava/lang/CharSequence;)V': (machine, self, text: Reference) => {
    self.native = { text: '' };
    appendObject(machine, self, required(machine, text));
  },
  'setLength(I)V': setLength,
  'setCharAt(IC)V': (machine, self, index: number, value: number) => {
    const text = checked(machine, self, index);
    stateOf(self).text = text.slice(0, index) + String.fromCharCode(value) + text.slice(index + 1);
    absorb(machine, self, machine.argumentTaint(2));
  },
  'ensureCapacity(I)V': () => undefined,
  'trimToSize()V': () => undefined,
  'getChars(II[CI)V': (machine, self, start: number, end: number, target: JavaArray, at: number) => {
    const { text } = stateOf(self);
    const elements = required(machine, target).elements as Uint16Array;
    if (start < 0 || end < start || end > text.length || at < 0 || at + end - start > elements.length) {
      throw range(machine, start, end);
    }
    for (let index = start; index < end; index++) elements[at + index - start] = text.charCodeAt(index);
    setElementTaint(target, at, at + end - start, self.taint);
  },
};

/** What both classes have, each with itself as the type that is returned. */
function methodsFor(own: string): NativeMethods {
  return {
    [`append(Ljava/lang/Object;)${own}`]: appendObject,
    [`append(Ljava/lang/String;)${own}`]: (machine, self, text: JavaString | null) =>
      append(machine, self, text === null ? 'null' : text.text, text === null ? 0 : text.taint),
    [`append(Ljava/lang/StringBuffer;)${own}`]: appendObject,
    [`append(Ljava/lang/CharSequence;)${own}`]: appendObject,
    [`append(Ljava/lang/CharSequence;II)${own}`]: (machine, self, text: Reference, start: number, end: number) => {
      const whole = charSequenceText(machine, text);
      if (start < 0 || end < start || end > whole.length) throw range(machine, start, end);
      return append(machine, self, whole.slice(start, end), text?.taint ?? 0);
    },
    [`append([C)${own}`]: (machine, self, chars: JavaArray) =>
      appendChars(machine, self, chars, 0, required(machine, chars).elements.length),
    [`append([CII)${own}`]: (machine, self, chars: JavaArray, offset: number, length: number) =>
      appendChars(machine, self, chars, offset, offset + length),
    ...Object.fromEntries(
      Object.entries(primitiveTexts).map(([type, textOfValue]) => [
        `append(${type})${own}`,
        (machine: Machine, self: HeapObject, value: never) =>
          append(machine, self, textOfValue(value), machine.argumentTaint(1)),
      ]),
    ),
    'append(C)Ljava/lang/Appendable;': (machine, self, value: number) =>
      append(machine, self, String.fromCharCode(value), machine.argumentTaint(1)),
    'append(Ljava/lang/CharSequence;)Ljava/lang/Appendable;': appendObject,
    [`appendCodePoint(I)${own}`]: (machine, self, value: number) =>
      append(machine, self, String.fromCodePoint(value), machine.argumentTaint(1)),
    [`insert(ILjava/lang/String;)${own}`]: (machine, self, offset: number, text: Reference) =>
      insert(machine, self, offset, charSequenceText(machine, text), objectTaint(machine, text)),
    [`insert(ILjava/lang/Object;)${own}`]: (machine, self, offset: number, value: Reference) => {
      const text = machine.toText(value);
      return insert(machine, self, offset, text.text, text.taint);
    },
    [`insert(ILjava/lang/CharSequence;)${own}`]: (machine, self, offset: number, text: Reference) =>
      insert(machine, self, offset, charSequenceText(machine, text), objectTaint(machine, text)),
    [`insert(I![C)${own}`]: (machine, self, offset: number, chars: JavaArray) =>
      insert(
        machine,
        self,
        offset,
        charsToText(required(machine, chars).elements as Uint16Array),
        objectTaint(machine, chars),
      ),
    ...Object.fromEntries(
      Object.entries(primitiveTexts).map(([type, textOfValue]) => [
        `insert(I${type})${own}`,
        (machine: Machine, self: HeapObject, offset: number, value: never) =>
          insert(machine, self, offset, textOfValue(value), machine.argumentTaint(2)),
      ]),
    ),
    [`delete(II)${own}`]: (machine, self, start: number, end: number) => replaceRange(machine, self, start, end, '', 0),
    [`deleteCharAt(I)${own}`]: (machine, self, index: number) => {
      checked(machine, self, index);
      return replaceRange(machine, self, index, index + 1, '', 0);
    },
    [`replace(IILjava/lang/String;)${own}`]: (machine, self, start: number, end: number, text: Reference) =>
      replaceRange(machine, self, start, end, textOf(machine, text), objectTaint(machine, text)),
    [`reverse()${own}`]: (_machine, self) => {
      const state = stateOf(self);
      state.text = reversed(state.text);
      return self;
    },
    ...changes,
  };
}

const pure: NativeMethods = {
  'length()I': (_machine, self) => stateOf(self).text.length,
  'isEmpty()Z': (_machine, self) => stateOf(self).text === '',
  'capacity()I': (_machine, self) => Math.max(16, stateOf(self).text.length),
  'charAt(I)C': (machine, self, index: number) => checked(machine, self, index).charCodeAt(index),
  'codePointAt(I)I': (machine, self, index: number) => checked(machine, self, index).codePointAt(index)!,
  'indexOf(Ljava/lang/String;)I': (machine, self, text: Reference) => stateOf(self).text.indexOf(textOf(machine, text)),
  'indexOf(Ljava/lang/String;I)I': (machine, self, text: Reference, from: number) =>
    stateOf(self).text.indexOf(textOf(machine, text), from),
  'lastIndexOf(Ljava/lang/String;)I': (machine, self, text: Reference) =>
    stateOf(self).text.lastIndexOf(textOf(machine, text)),
  'lastIndexOf(Ljava/lang/String;I)I': (machine, self, text: Reference, from: number) =>
    from < 0 ? -1 : stateOf(self).text.lastIndexOf(textOf(machine, text), from),
  'substring(I)Ljava/lang/String;': (machine, self, start: number) => cut(machine, self, start, undefined),
  'substring(II)Ljava/lang/String;': cut,
  'subSequence(II)Ljava/lang/CharSequence;': cut,
  'toString()Ljava/lang/String;': (machine, self) =>
    machine.string(reportMade(machine, stateOf(self).text), self.taint),
  'chars()Ljava/util/stream/IntStream;': (machine, self) =>
    machine.call(machine.string(stateOf(self).text, self.taint), 'chars()Ljava/util/stream/IntStream;'),
  'compareTo(!Ljava/lang/StringBuilder;)I': (_machine, self, other: HeapObject) =>
    compareText(stateOf(self).text, stateOf(other).text),
};

function cut(machine: Machine, self: HeapObject, start: number, end: number | undefined): JavaString {
  const { text } = stateOf(self);
  const stop = end ?? text.length;
  if (start < 0 || stop > text.length || start > stop) throw range(machine, start, stop);
  return machine.string(text.slice(start, stop), self.taint);
}

const INTERFACES = ['Ljava/lang/CharSequence;', 'Ljava/lang/Appendable;', 'Ljava/io/Serializable;'];

export const stringBuilderModels: Record<string, ModelClass> = {
  'Ljava/lang/AbstractStringBuilder;': { isAbstract: true, implements: INTERFACES, pure },
  'Ljava/lang/StringBuilder;': {
    extends: 'Ljava/lang/AbstractStringBuilder;',
    implements: INTERFACES,
    methods: methodsFor('Ljava/lang/StringBuilder;'),
    pure,
  },
  'Ljava/lang/StringBuffer;': {
    extends: 'Ljava/lang/AbstractStringBuilder;',
    implements: INTERFACES,
    methods: methodsFor('Ljava/lang/StringBuffer;'),
    pure,
  },
};
