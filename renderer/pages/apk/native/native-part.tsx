// Native libraries with what they import, export and say. Knows the report only.
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { NativeLibraryRecord } from '../../../../server/contract/engine/reports.ts';
import { Segments } from '../../../components/page/segments.tsx';
import { StatePanel } from '../../../components/page/state-panel.tsx';
import { PlaceLink } from '../../../components/place/place-link.tsx';
import { VirtualRows } from '../../../components/table/virtual-rows.tsx';
import { Chip } from '../../../components/text/chip.tsx';
import { CopyButton } from '../../../components/text/copy-button.tsx';
import { formatSize } from '../../../components/text/format.ts';
import { HostileText } from '../../../components/text/hostile-text.tsx';
import { CutNote } from '../cut-note.tsx';
import shared from '../parts.module.css';
import type { ReportPartProps } from '../parts.tsx';
import { ValueList } from '../value-list.tsx';
import styles from './native.module.css';
import { NativeFunctions } from './native-functions.tsx';
import { nativeTexts } from './texts.ts';

type Part = keyof typeof nativeTexts.parts;
type ListPart = Exclude<Part, 'functions'>;

const listsOf = (library: NativeLibraryRecord): Record<ListPart, readonly string[]> => ({
  jni: library.jni.methods,
  exports: library.exports,
  imports: library.imports,
  needed: library.needed,
  strings: library.strings,
});

function NativeLibrary({ sha256, library }: { sha256: string; library: NativeLibraryRecord }) {
  const [part, setPart] = useState<Part>('functions');
  const lists = listsOf(library);
  const values = useMemo(
    () => (part === 'functions' ? [] : listsOf(library)[part].map((value) => ({ value, where: [] }))),
    [library, part],
  );
  const parts = (
    <Segments
      label={nativeTexts.partChoice}
      value={part}
      onChange={setPart}
      labels={nativeTexts.parts}
      countOf={(one) => (one === 'functions' ? undefined : lists[one].length)}
    />
  );
  return (
    <div className={shared.detail}>
      <div className={styles.nativeHead}>
        <b>
          <PlaceLink sha256={sha256} place={library.path} />
        </b>
        <Chip tone="info">
          <HostileText value={library.abi} max={40} isFixed />
        </Chip>
        {library.jni.on_load && <Chip tone="quiet">JNI_OnLoad</Chip>}
        <span className={shared.faint}>
          <HostileText value={library.machine} max={60} isFixed /> · {formatSize(library.size)}
          {library.soname !== null && (
            <>
              {' · '}
              <HostileText value={library.soname} max={80} isFixed />
            </>
          )}
        </span>
        <span className={shared.faint}>
          SHA-256 <code className={shared.wrap}>{library.sha256}</code>{' '}
          <CopyButton text={library.sha256} what="SHA-256" />
        </span>
      </div>
      {part === 'functions' ? (
        <>
          <div className={shared.toolbar}>{parts}</div>
          <NativeFunctions sha256={sha256} path={library.path} />
        </>
      ) : (
        <ValueList key={part} sha256={sha256} label={nativeTexts.parts[part]} values={values} none={nativeTexts.empty}>
          {parts}
        </ValueList>
      )}
    </div>
  );
}

export function Component({ apk, report }: ReportPartProps) {
  const libraries = report.native_libraries;
  const [parameters, setParameters] = useSearchParams();
  const chosen = Math.max(
    0,
    libraries.findIndex(({ path }) => path === parameters.get('path')),
  );
  const library = libraries[chosen] ?? libraries[0];
  if (library === undefined) return <StatePanel icon="file" title={nativeTexts.none} />;
  return (
    <div className={shared.split}>
      <div className={shared.side}>
        <CutNote report={report} list="native_libraries" />
        <VirtualRows count={libraries.length} rowHeight={44} label={nativeTexts.label}>
          {(index) => {
            const { path, abi, size } = libraries[index]!;
            return (
              <button
                type="button"
                aria-current={index === chosen ? 'true' : undefined}
                onClick={() => setParameters({ path })}
              >
                <span className={styles.twoLines}>
                  <HostileText value={path.slice(path.lastIndexOf('/') + 1)} max={80} isFixed mono />
                  <small>
                    <HostileText value={abi} max={30} isFixed />
                  </small>
                </span>
                <span className="tabular">{formatSize(size)}</span>
              </button>
            );
          }}
        </VirtualRows>
      </div>
      <NativeLibrary key={library.path} sha256={apk.sha256} library={library} />
    </div>
  );
}
