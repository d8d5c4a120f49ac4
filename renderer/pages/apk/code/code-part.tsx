// The code of an APK: classes as a tree, smali, members, search, references. Knows the address; its panels know the rest.
import { NativeSelect } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../../server/contract/catalogue/apk.ts';
import { symbolParts } from '../../../../server/contract/engine/code-names.ts';
import type { CodeHit, CodeOutline } from '../../../../server/contract/engine/exploration.ts';
import { useCodeAt, useCodeClass, useCodeOutline } from '../../../api/apk-queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { bytesAddress } from '../../../components/place/place-address.ts';
import { visibleString } from '../../../components/text/hostile-text.tsx';
import type { ApkPartProps } from '../parts.tsx';
import { Members } from './class-members.tsx';
import { ClassTabs } from './class-tabs.tsx';
import { ClassTree } from './class-tree.tsx';
import { ClassView } from './class-view.tsx';
import styles from './code.module.css';
import {
  type Change,
  type CodeState,
  numberIn,
  toPlace,
  toReference,
  useCodeAddress,
  wholeClass,
} from './code-address.ts';
import { CodeReferences } from './code-references.tsx';
import { CodeSearchPanel, Hits } from './code-search.tsx';
import { JavaSearchPanel } from './java-search.tsx';
import { NamesPanel } from './names-panel.tsx';
import { codeTexts } from './texts.ts';

const maxDexName = 80;

interface CodeSideProps {
  apk: ApkDetail;
  outline: CodeOutline;
  state: CodeState;
  change: Change;
}

/** Which dex files are listed and searched: all, or one of the app's own or of those beside it. */
function DexChoice({ outline: { dexes }, state, change }: Pick<CodeSideProps, 'outline' | 'state' | 'change'>) {
  const { own = [], embedded = [] } = Object.groupBy(dexes, ({ is_embedded }) => (is_embedded ? 'embedded' : 'own'));
  const options = (some: CodeOutline['dexes']) =>
    [...new Map(some.map((dex) => [dex.name, dex])).values()].map(({ name, classes }) => ({
      value: name,
      label: `${visibleString(name).slice(0, maxDexName)} · ${codeTexts.classes(classes)}`,
    }));
  return (
    <NativeSelect
      size="xs"
      aria-label={codeTexts.dexChoice}
      value={state.only ?? ''}
      onChange={(event) => change({ only: event.currentTarget.value || null })}
      data={[
        { value: '', label: codeTexts.allDexes(dexes.length, embedded.length) },
        { group: codeTexts.ownDexes, items: options(own) },
        ...(embedded.length > 0 ? [{ group: codeTexts.embedded, items: options(embedded) }] : []),
      ]}
    />
  );
}

/** Packages and classes as a tree, or as a list of those whose names hold what is typed. */
function Classes({ apk: { sha256, package_name }, state, change }: Omit<CodeSideProps, 'outline'>) {
  const [filter, setFilter] = useState('');
  const applied = useDeferredValue(filter).trim();
  const choose = (name: string) => change({ ...wholeClass, name, dex: state.only });
  return (
    <>
      <div className={styles.membersHead}>
        <input
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          placeholder={codeTexts.classFilter}
          aria-label={codeTexts.classFilter}
          spellCheck={false}
          maxLength={1000}
        />
      </div>
      {applied === '' ? (
        <ClassTree
          key={state.only}
          sha256={sha256}
          dex={state.only}
          packageName={package_name}
          chosen={state.name}
          onChoose={choose}
        />
      ) : (
        <div className={styles.search}>
          <Hits
            sha256={sha256}
            search={{ q: applied, only: state.only, kinds: 'class', regex: false, isCaseSensitive: false }}
            onHit={({ text }) => choose(text)}
          />
        </div>
      )}
    </>
  );
}

/** The classes, or a search in their place, and the members of the class that is open. */
function CodeSide({ apk, outline, state, change }: CodeSideProps) {
  const { sha256 } = apk;
  const { dexes, unreadable } = outline;
  const { data: code } = useCodeClass(sha256, state.name, state.dex);
  const openHit = (hit: CodeHit) => {
    if (hit.kind === 'string') change({ references: `"${hit.text}`, direction: 'callers' });
    else if (hit.kind === 'api') change({ references: hit.text, direction: 'callers' });
    else change({ ...toReference(hit.text), dex: state.only });
  };
  return (
    <div className={styles.side}>
      <div className={styles.modes}>
        <Segments
          label={codeTexts.modeChoice}
          value={state.mode}
          onChange={(mode) => change({ mode })}
          labels={codeTexts.modes}
        />
        {dexes.length > 1 && <DexChoice outline={outline} state={state} change={change} />}
      </div>
      {unreadable.length > 0 && (
        <p className={styles.count}>
          {codeTexts.unreadable} {unreadable.map(({ name }) => name).join(', ')}
        </p>
      )}
      {state.mode === 'java' ? (
        <JavaSearchPanel
          sha256={sha256}
          search={state}
          onSearch={({ q, isCaseSensitive }) => change({ q, isCaseSensitive })}
          onHit={({ class: name, dex, line }) =>
            change({ ...wholeClass, name, dex, line, ...(state.view === 'smali' ? { view: 'java' } : {}) })
          }
        />
      ) : state.mode === 'names' ? (
        <NamesPanel
          sha256={sha256}
          onName={({ symbol, address }) => {
            const parts = symbolParts(symbol);
            if (parts === null || parts.kind === 'package') return;
            change({ ...toReference(parts.kind === 'variable' ? parts.method : symbol), at: address });
          }}
        />
      ) : state.mode === 'search' ? (
        <CodeSearchPanel
          sha256={sha256}
          search={state}
          onSearch={({ q, kinds, regex, isCaseSensitive }) => change({ q, kinds, regex, isCaseSensitive })}
          onHit={openHit}
        />
      ) : (
        <Classes apk={apk} state={state} change={change} />
      )}
      {code !== undefined && state.name !== null && state.mode === 'classes' && (
        <Members sha256={sha256} key={code.name} code={code} state={state} change={change} />
      )}
    </div>
  );
}

/** Leads on to the code that stands at bytes of a dex file, or to a search for their text where none loads it. */
function CodeOfBytes({ sha256, path, at }: { sha256: string; path: string; at: number }) {
  const code = useCodeAt(sha256, path, at);
  if (!code.isSuccess) return <QueryState query={code} />;
  const { place, text } = code.data;
  if (place !== null) {
    const { class: name, dex, method, offset } = place;
    const asked = new URLSearchParams({ class: name, dex, member: method, at: String(offset) });
    if (text !== null) asked.set('refs', `"${text}`);
    return <Navigate replace to={{ search: String(asked) }} />;
  }
  if (text !== null)
    return <Navigate replace to={{ search: String(new URLSearchParams({ mode: 'search', q: text })) }} />;
  return (
    <StatePanel
      icon="file"
      title={codeTexts.noCode}
      action={<Link to={bytesAddress(sha256, path, at, 1)}>{codeTexts.showBytes}</Link>}
    >
      {codeTexts.noCodeText}
    </StatePanel>
  );
}

export function Component({ apk }: ApkPartProps) {
  const { sha256 } = apk;
  const outline = useCodeOutline(sha256);
  const [state, change] = useCodeAddress();
  const [parameters] = useSearchParams();
  const [path, at] = [parameters.get('path'), numberIn(parameters.get('bytes'))];
  if (path !== null && at !== null) return <CodeOfBytes sha256={sha256} path={path} at={at} />;
  if (!outline.isSuccess) return <QueryState query={outline} />;
  const { dexes, unreadable } = outline.data;
  if (dexes.length === 0) {
    return (
      <StatePanel icon="file" title={codeTexts.none}>
        {unreadable.map(({ name, reason }) => `${codeTexts.unreadable} ${name}: ${reason}`).join(' ')}
      </StatePanel>
    );
  }
  const isEmbedded = (dex: string) => dexes.some(({ name, is_embedded }) => is_embedded && name === dex);
  return (
    <div className={styles.browser} data-mode={state.mode} data-chosen={state.name !== null || undefined}>
      <CodeSide apk={apk} outline={outline.data} state={state} change={change} />
      <div className={styles.main}>
        <ClassTabs state={state} change={change} />
        <ClassView sha256={sha256} state={state} isEmbedded={isEmbedded} change={change} />
        {state.references !== null && (
          <CodeReferences
            sha256={sha256}
            of={state.references}
            direction={state.direction}
            steps={state.steps}
            onDirection={(direction) => change({ direction })}
            onSteps={(steps) => change({ steps })}
            onMiddle={(references) => change({ references })}
            onPlace={(place) => change(toPlace(place))}
            onTarget={(target) => change(toReference(target))}
            onClose={() => change({ references: null })}
          />
        )}
      </div>
    </div>
  );
}
