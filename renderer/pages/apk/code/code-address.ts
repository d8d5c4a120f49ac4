// What an address of the code part says: which class, where in it, what is searched, whose references. Knows no server.
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { maxGraphSteps } from '../../../../server/contract/engine/call-graph.ts';
import type { CodePlace } from '../../../../server/contract/engine/exploration.ts';

export const codeViews = ['java', 'smali', 'both'] as const;
/** What a class is shown as. */
export type CodeView = (typeof codeViews)[number];

const directions = ['callers', 'callees', 'graph'] as const;

const codeModes = ['classes', 'search', 'java', 'names'] as const;
type CodeMode = (typeof codeModes)[number];

/** A place or length in an address; null for anything else. */
export const numberIn = (text: string | null): number | null =>
  text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;

export interface CodeState {
  /** Descriptor of the open class, null where none is. */
  name: string | null;
  /** Descriptors of the classes that stand open, the shown one among them. */
  tabs: readonly string[];
  /** Which dex it is read from, where several define it; null for the first. */
  dex: string | null;
  /** `m(I)V`, `f:I`, or a name alone. */
  member: string | null;
  /** Text to stand at within the member. */
  seek: string | null;
  /** Where to stand within the method, in code units; goes before `seek`. */
  at: number | null;
  view: CodeView;
  /** A line of the Java of the class's file, from 1; goes before the member. */
  line: number | null;
  mode: CodeMode;
  /** The dex file that is listed and searched alone, null for all. */
  only: string | null;
  q: string;
  kinds: string;
  regex: boolean;
  isCaseSensitive: boolean;
  /** Whose references are shown. */
  references: string | null;
  direction: 'callers' | 'callees' | 'graph';
  /** How far the graph goes. */
  steps: number;
}

/** Open classes; the one that stands first makes room for another. */
const maxTabs = 12;

const names: Record<keyof CodeState, string> = {
  name: 'class',
  tabs: 'tab',
  dex: 'dex',
  member: 'member',
  seek: 'seek',
  at: 'at',
  line: 'line',
  view: 'view',
  mode: 'mode',
  only: 'only',
  q: 'q',
  kinds: 'kinds',
  regex: 'regex',
  isCaseSensitive: 'case',
  references: 'refs',
  direction: 'dir',
  steps: 'steps',
};

const viewKey = 'apk-workstation.code-view';
const asView = (text: string | null): CodeView | undefined => codeViews.find((view) => view === text);

/** What the last class was shown as; Java at first. */
function lastView(): CodeView {
  try {
    return asView(localStorage.getItem(viewKey)) ?? 'java';
  } catch {
    return 'java';
  }
}

function keepView(view: CodeView): void {
  try {
    localStorage.setItem(viewKey, view);
  } catch (error) {
    console.info('The choice holds for this address only.', error);
  }
}

/** Open classes of an address, which names the shown one alone where no other is open. */
function tabsOf(parameters: URLSearchParams): string[] {
  const name = parameters.get('class');
  const tabs = [...new Set(parameters.getAll('tab'))].slice(0, maxTabs);
  return name === null || tabs.includes(name) ? tabs : [...tabs, name].slice(-maxTabs);
}

/** Changes parts of the state; the browser's "back" undoes it. */
export type Change = (changes: Partial<CodeState>) => void;

export function useCodeAddress(): [CodeState, Change] {
  const [parameters, setParameters] = useSearchParams();
  const state: CodeState = {
    name: parameters.get('class'),
    tabs: tabsOf(parameters),
    dex: parameters.get('dex'),
    member: parameters.get('member'),
    seek: parameters.get('seek'),
    at: numberIn(parameters.get('at')),
    line: numberIn(parameters.get('line')),
    view: asView(parameters.get('view')) ?? lastView(),
    mode: codeModes.find((mode) => mode === parameters.get('mode')) ?? 'classes',
    only: parameters.get('only'),
    q: parameters.get('q') ?? '',
    kinds: parameters.get('kinds') ?? '',
    regex: parameters.has('regex'),
    isCaseSensitive: parameters.has('case'),
    references: parameters.get('refs'),
    direction: directions.find((direction) => direction === parameters.get('dir')) ?? 'callers',
    steps: Math.min(maxGraphSteps, Math.max(1, numberIn(parameters.get('steps')) ?? 1)),
  };
  const change = useCallback(
    ({ tabs, ...changes }: Partial<CodeState>) => {
      if (changes.view !== undefined) keepView(changes.view);
      setParameters((known) => {
        const next = new URLSearchParams(known);
        const open = tabs ?? tabsOf(known);
        for (const [key, value] of Object.entries(changes)) {
          const name = names[key as keyof CodeState];
          const isDefault =
            value === null || value === '' || value === false || value === 'classes' || value === 'callers';
          if (isDefault) next.delete(name);
          else next.set(name, value === true ? '1' : String(value));
        }
        next.delete(names.tabs);
        const isOpen = changes.name == null || open.includes(changes.name);
        for (const tab of isOpen ? open : [...open, changes.name!].slice(-maxTabs)) next.append(names.tabs, tab);
        // The class alone says as much.
        if (tabsOf(next).length === 1 && next.has(names.name)) next.delete(names.tabs);
        return next;
      });
    },
    [setParameters],
  );
  return [state, change];
}

type Place = Pick<CodeState, 'name' | 'dex' | 'member' | 'seek' | 'at' | 'line'>;

/** Nothing within a class. */
export const wholeClass = { member: null, seek: null, at: null, line: null };

/** The place that a descriptor names, of a class or one of its members. */
export function toReference(target: string): Place {
  const arrow = target.indexOf(';->');
  const name = (arrow < 0 ? target : target.slice(0, arrow + 1)).replace(/^\[+/, '');
  return { ...wholeClass, name, dex: null, member: arrow < 0 ? null : target.slice(arrow + 3) };
}

/** The place of an instruction. */
export const toPlace = ({ class: name, dex, method, offset }: CodePlace): Place => ({
  ...wholeClass,
  name,
  dex,
  ...(method === '' ? {} : { member: method, at: offset }),
});
