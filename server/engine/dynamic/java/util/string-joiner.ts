// java.util.StringJoiner. Knows no stream.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod } from '../../machine/model.ts';
import { charSequenceText, objectTaint, type Reference } from '../values.ts';

const JOINER = 'Ljava/util/StringJoiner;';
const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';

interface Joiner {
  readonly delimiter: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly parts: string[];
  /** What it reads as before anything is added; null: prefix and suffix. */
  empty: string | null;
  taint: Taint;
}

const of = (self: HeapObject): Joiner => self.native as Joiner;

const begin: NativeMethod = (machine, self, ...given: Reference[]) => {
  const [delimiter = '', prefix = '', suffix = ''] = given.map((each) => charSequenceText(machine, each));
  const taint = given.reduce((all, each) => machine.union(all, objectTaint(machine, each)), 0);
  self.native = { delimiter, prefix, suffix, parts: [], empty: null, taint } satisfies Joiner;
};

const textOf = ({ parts, empty, prefix, delimiter, suffix }: Joiner): string =>
  parts.length === 0 && empty !== null ? empty : prefix + parts.join(delimiter) + suffix;

function add(machine: Machine, self: HeapObject, text: string, taint: Taint): HeapObject {
  const joiner = of(self);
  machine.charge(text.length * 2 + 16);
  joiner.parts.push(text);
  joiner.taint = machine.union(joiner.taint, taint);
  self.taint = joiner.taint;
  return self;
}

export const stringJoinerModels: Record<string, ModelClass> = {
  [JOINER]: {
    methods: {
      [`<init>(${C})V`]: begin,
      [`<init>(${C}${C}${C})V`]: begin,
      [`add(${C})${JOINER}`]: (machine, self, part: Reference) =>
        add(machine, self, part === null ? 'null' : charSequenceText(machine, part), objectTaint(machine, part)),
      [`merge(!${JOINER})${JOINER}`]: (machine, self, other: HeapObject) => {
        const { parts, delimiter, taint } = of(other);
        return parts.length === 0 ? self : add(machine, self, parts.join(delimiter), taint);
      },
      [`setEmptyValue(${C})${JOINER}`]: (machine, self, text: Reference) => {
        of(self).empty = charSequenceText(machine, text);
        return self;
      },
      'length()I': (_machine, self) => textOf(of(self)).length,
      [`toString()${S}`]: (machine, self) => machine.string(textOf(of(self)), of(self).taint),
    },
  },
};
