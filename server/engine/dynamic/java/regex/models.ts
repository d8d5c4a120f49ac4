// java.util.regex.Pattern and Matcher. Knows the engine only by its operations.
import type { HeapObject, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import {
  charSequenceText,
  flag,
  illegalArgument,
  illegalState,
  instance,
  objectTaint,
  outOfBounds,
  type Reference,
  required,
  stringArray,
  textOf,
} from '../values.ts';
import type { Groups } from './matcher-engine.ts';
import { compilePattern, expandReplacement, FLAGS, type JavaPattern, replaceMatches, splitText } from './operations.ts';

interface Matching {
  pattern: JavaPattern;
  patternObject: HeapObject;
  text: string;
  taint: Taint;
  from: number;
  to: number;
  groups: Groups | null;
  /** Where appendReplacement goes on. */
  appendAt: number;
  /** Where the next find starts. */
  nextAt: number;
  last: number;
}

function patternOf(self: HeapObject): JavaPattern {
  return self.native as JavaPattern;
}

function matching(self: HeapObject): Matching {
  return self.native as Matching;
}

function matcher(machine: Machine, self: HeapObject, input: Reference): HeapObject {
  const text = charSequenceText(machine, required(machine, input));
  const native: Matching = {
    pattern: patternOf(self),
    patternObject: self,
    text,
    taint: machine.union(objectTaint(machine, input), self.taint),
    from: 0,
    to: text.length,
    groups: null,
    appendAt: 0,
    nextAt: 0,
    last: 0,
  };
  return instance(machine, 'Ljava/util/regex/Matcher;', native, native.taint);
}

/** What a matcher looks at, and with which pattern. */
export function matched(self: HeapObject): { readonly text: string; readonly pattern: JavaPattern } {
  return matching(self);
}

function compile(machine: Machine, regex: Reference, flags: number): HeapObject {
  const pattern = compilePattern(machine, textOf(machine, regex), flags);
  return instance(machine, 'Ljava/util/regex/Pattern;', pattern, objectTaint(machine, regex));
}

function split(machine: Machine, self: HeapObject, input: Reference, limit: number) {
  const text = charSequenceText(machine, required(machine, input));
  return stringArray(machine, splitText(machine, patternOf(self), text, limit), objectTaint(machine, input));
}

function note(state: Matching, groups: Groups | null): number {
  state.groups = groups;
  if (groups !== null) {
    state.last = groups[1]!;
    state.nextAt = groups[1] === groups[0] ? groups[1]! + 1 : groups[1]!;
  }
  return flag(groups !== null);
}

function find(machine: Machine, self: HeapObject): number {
  const state = matching(self);
  if (state.nextAt > state.to) return note(state, null);
  const { pattern, text, nextAt, from, to, last } = state;
  return note(state, pattern.find(machine, text, nextAt, from, to, last));
}

function reset(self: HeapObject): HeapObject {
  const state = matching(self);
  state.groups = null;
  state.appendAt = 0;
  state.nextAt = 0;
  state.last = 0;
  state.from = 0;
  state.to = state.text.length;
  return self;
}

function groupsOf(machine: Machine, self: HeapObject): Groups {
  const { groups } = matching(self);
  if (groups === null) throw illegalState(machine, 'No match found');
  return groups;
}

function group(machine: Machine, self: HeapObject, index: number): JavaString | null {
  const groups = groupsOf(machine, self);
  if (index < 0 || index > matching(self).pattern.groupCount) throw outOfBounds(machine, `No group ${index}`);
  const start = groups[index * 2]!;
  const state = matching(self);
  return start < 0 ? null : machine.string(state.text.slice(start, groups[index * 2 + 1]), state.taint);
}

function place(machine: Machine, self: HeapObject, index: number): number {
  const groups = groupsOf(machine, self);
  if (index < 0 || index >= groups.length) throw outOfBounds(machine, `No group ${index >> 1}`);
  return groups[index]!;
}

function named(machine: Machine, self: HeapObject, name: Reference): number {
  const index = matching(self).pattern.names.get(textOf(machine, name));
  if (index === undefined) throw illegalArgument(machine, `No group with name <${textOf(machine, name)}>`);
  return index;
}

function appendReplacement(machine: Machine, self: HeapObject, builder: HeapObject, replacement: Reference) {
  const state = matching(self);
  const groups = groupsOf(machine, self);
  const expanded = expandReplacement(machine, state.pattern, state.text, groups, textOf(machine, replacement));
  const taint = machine.union(state.taint, objectTaint(machine, replacement));
  append(machine, builder, state.text.slice(state.appendAt, groups[0]) + expanded, taint);
  state.appendAt = groups[1]!;
  return self;
}

function append(machine: Machine, builder: HeapObject, text: string, taint: Taint): HeapObject {
  const signature = `append(Ljava/lang/String;)${required(machine, builder).cls.descriptor}`;
  machine.call(builder, signature, machine.string(text, taint));
  return builder;
}

function appendTail(machine: Machine, self: HeapObject, builder: HeapObject): HeapObject {
  const state = matching(self);
  return append(machine, builder, state.text.slice(state.appendAt), state.taint);
}

function replace(machine: Machine, self: HeapObject, replacement: Reference, isAll: boolean): JavaString {
  const state = matching(self);
  const text = replaceMatches(machine, state.pattern, state.text, textOf(machine, replacement), isAll);
  reset(self);
  return machine.string(text, machine.union(state.taint, objectTaint(machine, replacement)));
}

const BUILDER = 'Ljava/lang/StringBuilder;';
const BUFFER = 'Ljava/lang/StringBuffer;';
const MATCHER = 'Ljava/util/regex/Matcher;';

const results: NativeMethods = {
  'group()Ljava/lang/String;': (machine, self) => group(machine, self, 0),
  'group(I)Ljava/lang/String;': group,
  'group(Ljava/lang/String;)Ljava/lang/String;': (machine, self, name: Reference) =>
    group(machine, self, named(machine, self, name)),
  'groupCount()I': (_machine, self) => matching(self).pattern.groupCount,
  'start()I': (machine, self) => place(machine, self, 0),
  'end()I': (machine, self) => place(machine, self, 1),
  'start(I)I': (machine, self, index: number) => place(machine, self, index * 2),
  'end(I)I': (machine, self, index: number) => place(machine, self, index * 2 + 1),
  'start(Ljava/lang/String;)I': (machine, self, name: Reference) =>
    place(machine, self, named(machine, self, name) * 2),
  'end(Ljava/lang/String;)I': (machine, self, name: Reference) =>
    place(machine, self, named(machine, self, name) * 2 + 1),
};

const matcherMethods: NativeMethods = {
  'matches()Z': (machine, self) => {
    const state = matching(self);
    return note(state, state.pattern.matchWhole(machine, state.text, state.from, state.to));
  },
  'lookingAt()Z': (machine, self) => {
    const state = matching(self);
    return note(state, state.pattern.matchStart(machine, state.text, state.from, state.to));
  },
  'find()Z': find,
  'find(I)Z': (machine, self, start: number) => {
    const state = matching(self);
    if (start < 0 || start > state.text.length) throw outOfBounds(machine, 'Illegal start index');
    reset(self);
    state.nextAt = start;
    return find(machine, self);
  },
  'hitEnd()Z': (_machine, self) => {
    const { groups, to } = matching(self);
    return flag(groups === null || groups[1] === to);
  },
  [`reset()${MATCHER}`]: (_machine, self) => reset(self),
  [`reset(Ljava/lang/CharSequence;)${MATCHER}`]: (machine, self, input: Reference) => {
    const state = matching(self);
    state.text = charSequenceText(machine, required(machine, input));
    state.taint = objectTaint(machine, input);
    self.taint = state.taint;
    return reset(self);
  },
  [`region(II)${MATCHER}`]: (machine, self, from: number, to: number) => {
    const state = matching(self);
    if (from < 0 || to > state.text.length || from > to) throw outOfBounds(machine, 'region');
    reset(self);
    state.from = from;
    state.to = to;
    state.nextAt = from;
    return self;
  },
  [`usePattern(!Ljava/util/regex/Pattern;)${MATCHER}`]: (_machine, self, pattern: HeapObject) => {
    matching(self).pattern = patternOf(pattern);
    matching(self).patternObject = pattern;
    matching(self).groups = null;
    return self;
  },
  [`useAnchoringBounds(Z)${MATCHER}`]: (_machine, self) => self,
  [`useTransparentBounds(Z)${MATCHER}`]: (_machine, self) => self,
  'regionStart()I': (_machine, self) => matching(self).from,
  'regionEnd()I': (_machine, self) => matching(self).to,
  'pattern()Ljava/util/regex/Pattern;': (_machine, self) => matching(self).patternObject,
  'toMatchResult()Ljava/util/regex/MatchResult;': (machine, self) =>
    instance(machine, MATCHER, { ...matching(self) }, self.taint),
  'replaceAll(Ljava/lang/String;)Ljava/lang/String;': (machine, self, replacement: Reference) =>
    replace(machine, self, replacement, true),
  'replaceFirst(Ljava/lang/String;)Ljava/lang/String;': (machine, self, replacement: Reference) =>
    replace(machine, self, replacement, false),
  [`appendReplacement(!${BUFFER}Ljava/lang/String;)${MATCHER}`]: appendReplacement,
  [`appendReplacement(!${BUILDER}Ljava/lang/String;)${MATCHER}`]: appendReplacement,
  [`appendTail(!${BUFFER})${BUFFER}`]: appendTail,
  [`appendTail(!${BUILDER})${BUILDER}`]: appendTail,
};

export const regexModels: Record<string, ModelClass> = {
  'Ljava/util/regex/MatchResult;': { isInterface: true, abstractMethods: Object.keys(results) },
  'Ljava/util/regex/Pattern;': {
    implements: ['Ljava/io/Serializable;'],
    methods: {
      'matcher(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;': matcher,
      'pattern()Ljava/lang/String;': (machine, self) => machine.string(patternOf(self).source, self.taint),
      'toString()Ljava/lang/String;': (machine, self) => machine.string(patternOf(self).source, self.taint),
      'flags()I': (_machine, self) => patternOf(self).flags,
      'split(Ljava/lang/CharSequence;)[Ljava/lang/String;': (machine, self, input: Reference) =>
        split(machine, self, input, 0),
      'split(Ljava/lang/CharSequence;I)[Ljava/lang/String;': split,
    },
    staticMethods: {
      'compile(Ljava/lang/String;)Ljava/util/regex/Pattern;': (machine, regex: Reference) => compile(machine, regex, 0),
      'compile(Ljava/lang/String;I)Ljava/util/regex/Pattern;': compile,
    },
    pureStatic: {
      'matches(Ljava/lang/String;Ljava/lang/CharSequence;)Z': (machine, regex: Reference, input: Reference) => {
        const text = charSequenceText(machine, required(machine, input));
        return flag(compilePattern(machine, textOf(machine, regex), 0).matchWhole(machine, text) !== null);
      },
      'quote(Ljava/lang/String;)Ljava/lang/String;': (machine, text: Reference) =>
        machine.string(`\\Q${textOf(machine, text).replaceAll('\\E', '\\E\\\\E\\Q')}\\E`),
    },
    constants: Object.fromEntries(Object.entries(FLAGS).map(([name, value]) => [`${name}:I`, value])),
  },
  [MATCHER]: {
    implements: ['Ljava/util/regex/MatchResult;'],
    methods: matcherMethods,
    pure: results,
    pureStatic: {
      'quoteReplacement(Ljava/lang/String;)Ljava/lang/String;': (machine, text: Reference) =>
        machine.string(textOf(machine, text).replaceAll(/[\\$]/g, '\\$&')),
    },
  },
};
