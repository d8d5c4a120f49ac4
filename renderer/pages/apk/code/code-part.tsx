// The code of an APK: classes as a tree, smali, members, search, references. Knows the address; its panels know the rest.
import type { ApkDetail } from '../../../../server/contract/catalogue/apk.ts';
import type { CodeHit, CodeOutline } from '../../../../server/contract/engine/exploration.ts';
import { useCodeClass, useCodeOutline } from '../../../api/apk-queries.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { QueryState, StatePanel } from '../../../components/page/state-panel.tsx';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import type { ApkPartProps } from '../parts.tsx';
import { Members } from './class-members.tsx';
import { ClassTree } from './class-tree.tsx';
import { ClassView } from './class-view.tsx';
import styles from './code.module.css';
import { type Change, type CodeState, toPlace, toReference, useCodeAddress, wholeClass } from './code-address.ts';
import { CodeReferences } from './code-references.tsx';
import { CodeSearchPanel } from './code-search.tsx';
import { JavaSearchPanel } from './java-search.tsx';
import { codeTexts } from './texts.ts';

/** Dex files that are named beside the app's own. */
const maxEmbedded = 6;

interface CodeSideProps {
  apk: ApkDetail;
  outline: CodeOutline;
  state: CodeState;
  change: Change;
}

/** What of the code cannot be read, and which dex files stand beside the app's own. */
function CodeNotes({ outline: { dexes, unreadable } }: { outline: CodeOutline }) {
  const embedded = dexes.filter(({ is_embedded }) => is_embedded);
  return (
    <>
      {unreadable.length > 0 && (
        <p className={styles.count}>
          {codeTexts.unreadable} {unreadable.map(({ name }) => name).join(', ')}
        </p>
      )}
      {embedded.length > 0 && (
        <p className={styles.count} data-testid="embedded-code">
          {codeTexts.embedded}
          {embedded.slice(0, maxEmbedded).map(({ name, classes }) => (
            <span key={name} className={styles.embedded}>
              <HostileText value={name} max={80} mono /> {codeTexts.classes(classes)}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** The classes, or a search in their place, and the members of the class that is open. */
function CodeSide({ apk: { sha256, package_name }, outline, state, change }: CodeSideProps) {
  const { data: code } = useCodeClass(sha256, state.name, state.dex);
  const openHit = (hit: CodeHit) => {
    if (hit.kind === 'string') change({ references: `"${hit.text}`, direction: 'callers' });
    else if (hit.kind === 'api') change({ references: hit.text, direction: 'callers' });
    else change(toReference(hit.text));
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
      </div>
      <CodeNotes outline={outline} />
      {state.mode === 'java' ? (
        <JavaSearchPanel
          sha256={sha256}
          search={state}
          onSearch={({ q, isCaseSensitive }) => change({ q, isCaseSensitive })}
          onHit={({ class: name, dex, line }) =>
            change({ ...wholeClass, name, dex, line, ...(state.view === 'smali' ? { view: 'java' } : {}) })
          }
        />
      ) : state.mode === 'search' ? (
        <CodeSearchPanel
          sha256={sha256}
          search={state}
          onSearch={({ q, kinds, regex, isCaseSensitive }) => change({ q, kinds, regex, isCaseSensitive })}
          onHit={openHit}
        />
      ) : (
        <ClassTree
          sha256={sha256}
          packageName={package_name}
          chosen={state.name}
          onChoose={(name) => change({ ...wholeClass, name, dex: null })}
        />
      )}
      {code !== undefined && state.name !== null && state.mode === 'classes' && (
        <Members key={code.name} code={code} state={state} change={change} />
      )}
    </div>
  );
}

export function Component({ apk }: ApkPartProps) {
  const { sha256 } = apk;
  const outline = useCodeOutline(sha256);
  const [state, change] = useCodeAddress();
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
        <ClassView sha256={sha256} state={state} isEmbedded={isEmbedded} change={change} />
        {state.references !== null && (
          <CodeReferences
            sha256={sha256}
            of={state.references}
            direction={state.direction}
            onDirection={(direction) => change({ direction })}
            onPlace={(place) => change(toPlace(place))}
            onTarget={(target) => change(toReference(target))}
            onClose={() => change({ references: null })}
          />
        )}
      </div>
    </div>
  );
}
