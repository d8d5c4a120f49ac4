// What an address of the code part says: which class, where in it, what is searched, whose references. Knows no server.
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import type { CodeClass, CodePlace } from '../../../../server/contract/engine/exploration.ts';

export interface CodeState {
  /** Descriptor of the open class, null where none is. */
  name: string | null;
  /** Which dex it is read from, where several define it; null for the first. */
  dex: string | null;
  /** `m(I)V`, `f:I`, or a name alone. */
  member: string | null;
  /** Text to stand at within the member. */
  seek: string | null;
  mode: 'classes' | 'search';
  q: string;
  kinds: string;
  regex: boolean;
  isCaseSensitive: boolean;
  /** Whose references are shown. */
  references: string | null;
  direction: 'callers' | 'callees';
}

const names: Record<keyof CodeState, string> = {
  name: 'class',
  dex: 'dex',
  member: 'member',
  seek: 'seek',
  mode: 'mode',
  q: 'q',
  kinds: 'kinds',
  regex: 'regex',
  isCaseSensitive: 'case',
  references: 'refs',
  direction: 'dir',
};

/** Changes parts of the state; the browser's "back" undoes it. */
export type Change = (changes: Partial<CodeState>) => void;

export function useCodeAddress(): [CodeState, Change] {
  const [parameters, setParameters] = useSearchParams();
  const state: CodeState = {
    name: parameters.get('class'),
    dex: parameters.get('dex'),
    member: parameters.get('member'),
    seek: parameters.get('seek'),
    mode: parameters.get('mode') === 'search' ? 'search' : 'classes',
    q: parameters.get('q') ?? '',
    kinds: parameters.get('kinds') ?? '',
    regex: parameters.has('regex'),
    isCaseSensitive: parameters.has('case'),
    references: parameters.get('refs'),
    direction: parameters.get('dir') === 'callees' ? 'callees' : 'callers',
  };
  const change = useCallback(
    (changes: Partial<CodeState>) =>
      setParameters((known) => {
        const next = new URLSearchParams(known);
        for (const [key, value] of Object.entries(changes)) {
          const name = names[key as keyof CodeState];
          const isDefault =
            value === null || value === '' || value === false || value === 'classes' || value === 'callers';
          if (isDefault) next.delete(name);
          else next.set(name, value === true ? '1' : String(value));
        }
        return next;
      }),
    [setParameters],
  );
  return [state, change];
}

type Place = Pick<CodeState, 'name' | 'dex' | 'member' | 'seek'>;

/** The place that a descriptor names, of a class or one of its members. */
export function toReference(target: string): Place {
  const arrow = target.indexOf(';->');
  const name = (arrow < 0 ? target : target.slice(0, arrow + 1)).replace(/^\[+/, '');
  return { name, dex: null, member: arrow < 0 ? null : target.slice(arrow + 3), seek: null };
}

/** The place of an instruction. */
export const toPlace = (place: CodePlace): Place => ({
  name: place.class,
  dex: place.dex,
  member: place.method === '' ? null : place.method,
  // Smali escapes what is not ASCII: the part before that is enough to find the line.
  seek:
    place.kind === 'string'
      ? `"${/^[\x20\x21\x23-\x26\x28-\x5b\x5d-\x7e]*/.exec(place.target)![0].slice(0, 80)}`
      : place.target,
});

/** The line of the smali that a state means, null where it means none. */
export function lineOf(code: CodeClass, { member, seek }: Pick<CodeState, 'member' | 'seek'>): number | null {
  if (member === null) return null;
  const method = code.methods.find(({ name, descriptor }) => `${name}${descriptor}` === member);
  const field = code.fields.find(({ name, descriptor }) => `${name}:${descriptor}` === member);
  const byName = code.methods.find(({ name }) => name === member) ?? code.fields.find(({ name }) => name === member);
  const line = (method ?? field ?? byName)?.line ?? null;
  if (line === null || seek === null || field !== undefined) return line;
  const lines = code.smali.split('\n');
  for (let at = line; at < lines.length && !lines[at]!.startsWith('.end method'); at++) {
    if (lines[at]!.includes(seek)) return at + 1;
  }
  return line;
}
