// A class as Java, as smali, or as both in step. Knows the class and the place to stand at, not where references lead.
import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { symbolParts } from '../../../../server/contract/engine/code-names.ts';
import type { CodeClass } from '../../../../server/contract/engine/exploration.ts';
import type { JavaSource } from '../../../../server/contract/engine/java-source.ts';
import { useJavaSource } from '../../../api/apk-queries.ts';
import { InStep } from '../../../components/code/in-step.ts';
import { LazyCodeText } from '../../../components/code/lazy-code-text.tsx';
import type { LineRange } from '../../../components/code/references.ts';
import { QueryState } from '../../../components/page/state-panel.tsx';
import { className } from '../../../components/text/format.ts';
import { JavaLines, SmaliLines } from './class-places.ts';
import styles from './code.module.css';
import type { CodeState } from './code-address.ts';
import { CodeMenu, copyCode, copyCodeBytes, type OpenMenu } from './code-menu.tsx';
import { fridaHook, yaraRule } from './copied-code.ts';
import { NameDialog, type Named } from './name-dialog.tsx';
import { codeTexts } from './texts.ts';

interface ClassTextProps {
  sha256: string;
  code: CodeClass;
  state: CodeState;
  onReference: (target: string) => void;
  onUses: (target: string) => void;
  onGraph: (target: string) => void;
  onSmali: () => void;
}

interface JavaNotesProps {
  java: JavaSource;
  isLeftOut: boolean;
  onSmali: () => void;
  /** Null where all the time that there is was taken. */
  onWhole: (() => void) | null;
}

/** What of a class Java does not show, and what to do about it. */
function JavaNotes({ java, isLeftOut, onSmali, onWhole }: JavaNotesProps) {
  const unwritten = java.lost - java.late;
  const notes = [
    ...(isLeftOut ? [codeTexts.java.leftOut] : []),
    ...(java.late > 0 ? [codeTexts.java.late(java.late)] : []),
    ...(unwritten > 0 ? [codeTexts.java.lost(unwritten)] : []),
    ...(java.dispatched > 0 ? [codeTexts.java.dispatched(java.dispatched)] : []),
    ...(java.is_cut ? [codeTexts.java.cut] : []),
  ];
  if (notes.length === 0) return null;
  return (
    <p className={styles.notes} role="status">
      {notes.join(' ')}{' '}
      {java.late > 0 && onWhole !== null && (
        <>
          <button type="button" className={styles.link} onClick={onWhole}>
            {codeTexts.java.whole}
          </button>{' '}
        </>
      )}
      <button type="button" className={styles.link} onClick={onSmali}>
        {codeTexts.java.showSmali}
      </button>
    </p>
  );
}

export function ClassText({ sha256, code, state, onReference, onUses, onGraph, onSmali }: ClassTextProps) {
  const { view, member, seek, at, line } = state;
  const [wholeOf, setWholeOf] = useState<string | null>(null);
  const isWhole = wholeOf === code.name;
  const java = useJavaSource(sha256, code.name, code.dex, isWhole, view !== 'smali');
  const smaliLines = useMemo(() => new SmaliLines(code), [code]);
  const javaLines = useMemo(() => (java.data === undefined ? null : new JavaLines(java.data)), [java.data]);
  const step = useMemo(
    () => (javaLines === null || view !== 'both' ? null : new InStep(javaLines.pairsWith(code, smaliLines))),
    [javaLines, view, code, smaliLines],
  );
  const [besideJava, besideSmali] = useMemo(() => [step?.extension('first'), step?.extension('second')], [step]);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [named, setNamed] = useState<Named | null>(null);
  const originals = useMemo(() => new Map(code.shown.map(({ text, symbol }) => [text, symbol])), [code]);
  const isVariable = (target: string) => symbolParts(target)?.kind === 'variable';
  const name = (kind: Named['kind'], symbol: string | null, address: number | null = null) => {
    if (symbol !== null) setNamed({ kind, symbol: symbol.replace(/^\[+/, ''), address });
    else notifications.show({ message: kind === 'name' ? codeTexts.names.nothingHere : codeTexts.names.noLine });
  };
  const smaliPlace = (line: number) => {
    const found = smaliLines.placeAt(line);
    if (found !== null) return { symbol: `${code.name}->${found.text}`, address: found.address };
    return line === 1 ? { symbol: code.name, address: null } : null;
  };
  const constantsOf = (target: string) =>
    target.startsWith(`${code.name}->`) ? smaliLines.constantsOf(target.slice(code.name.length + 2)) : [];
  /** @param method the lines are in */
  const copyBytes = (target: string | null, method: string | null, addresses: readonly number[] | null) => {
    const isMethod = target !== null && symbolParts(target)?.kind === 'method';
    const of = isMethod ? target : method;
    void copyCodeBytes(sha256, of, of?.startsWith(`${code.name}->`) ? code.dex : undefined, addresses);
  };
  const handlers = {
    onReference: (target: string) => {
      if (!isVariable(target)) onReference(target);
    },
    onUses: (target: string) => {
      if (!isVariable(target)) onUses(target);
    },
    onGraph: (target: string) => {
      if (symbolParts(target)?.kind === 'method') onGraph(target);
    },
    onMenu: (target: string, x: number, y: number) => setMenu({ target, x, y }),
    onCopy: (target: string, as: 'frida' | 'yara') =>
      void (as === 'frida'
        ? copyCode(fridaHook(target), codeTexts.menu.hook)
        : copyCode(yaraRule(target, constantsOf(target)), codeTexts.menu.rule)),
  };
  const ofJava = {
    onBytes: (target: string | null, { first, last, isSelection }: LineRange) => {
      const found = javaLines?.codeIn(first, last) ?? null;
      copyBytes(target, found?.symbol ?? null, isSelection ? (found?.addresses ?? []) : null);
    },
    onRename: (target: string | null) => name('name', target),
    onNote: (at: number) => {
      const found = javaLines?.placeAt(at) ?? null;
      name('note', found?.symbol ?? null, found?.address);
    },
  };
  const ofSmali = {
    onBytes: (target: string | null, { first, last, isSelection }: LineRange) => {
      const found = smaliLines.codeIn(first, last);
      const method = found === null ? null : `${code.name}->${found.text}`;
      copyBytes(target, method, isSelection ? (found?.addresses ?? []) : null);
    },
    onRename: (target: string | null, at: number) => {
      const found = smaliPlace(at);
      name('name', target ?? (found?.address === null ? found.symbol : null));
    },
    onNote: (at: number) => {
      const found = smaliPlace(at);
      name('note', found?.symbol ?? null, found?.address);
    },
  };
  const place = { member, seek, at };
  const label = className(code.name).slice(0, 200);
  const shown = member === null ? null : smaliLines.memberOf(member);
  const isLeftOut = javaLines !== null && shown !== null && !javaLines.has(`${code.name}->${shown.text}`);
  return (
    <div className={styles.texts}>
      {menu !== null && (
        <CodeMenu
          menu={menu}
          constantsOf={constantsOf}
          onReference={onReference}
          onUses={onUses}
          onGraph={onGraph}
          onBytes={(method) => copyBytes(method, null, null)}
          onName={name}
          onClose={() => setMenu(null)}
        />
      )}
      {named !== null && <NameDialog sha256={sha256} named={named} onClose={() => setNamed(null)} />}
      {view !== 'smali' && (
        <div className={styles.text} data-testid="java-text">
          {java.data === undefined || javaLines === null ? (
            <>
              <QueryState query={java} label={codeTexts.java.loading} />
              {java.isError && (
                <p className={styles.notes}>
                  {codeTexts.java.failed}{' '}
                  <button type="button" className={styles.link} onClick={onSmali}>
                    {codeTexts.java.showSmali}
                  </button>
                </p>
              )}
            </>
          ) : (
            <>
              <JavaNotes
                java={java.data}
                isLeftOut={isLeftOut}
                onSmali={onSmali}
                onWhole={isWhole ? null : () => setWholeOf(code.name)}
              />
              <LazyCodeText
                text={java.data.source}
                language="java"
                label={`${label}, ${codeTexts.views.java}`}
                line={line ?? javaLines.lineOf(code.name, place, smaliLines)}
                references={javaLines.references}
                {...handlers}
                {...ofJava}
                {...(besideJava === undefined ? {} : { beside: besideJava })}
              />
            </>
          )}
        </div>
      )}
      {view !== 'java' && (
        <div className={styles.text} data-testid="smali-text">
          <LazyCodeText
            text={code.smali}
            language="smali"
            label={label}
            originals={originals}
            line={line === null ? smaliLines.lineOf(place) : (step?.lineBeside('first', line) ?? null)}
            {...handlers}
            {...ofSmali}
            {...(besideSmali === undefined ? {} : { beside: besideSmali })}
          />
        </div>
      )}
    </div>
  );
}
