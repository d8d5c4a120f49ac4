// Native libraries with what they import, export and say. Knows the report only.
import { useMemo, useState } from 'react';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import type { AndroguardReport, NativeLibraryRecord } from '../../../server/contract/reports.ts';
import { Chip } from '../../components/chip.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatSize } from '../../components/format.ts';
import { HostileText } from '../../components/hostile-text.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Segments } from '../../components/segments.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatCount } from '../../counted.ts';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';
import { ValueList } from './value-list.tsx';

type Part = keyof typeof texts.native.parts;
const parts = Object.keys(texts.native.parts) as Part[];

const listsOf = (library: NativeLibraryRecord): Record<Part, readonly string[]> => ({
  jni: library.jni.methods,
  exports: library.exports,
  imports: library.imports,
  needed: library.needed,
  strings: library.strings,
});

function NativeLibrary({ sha256, library }: { sha256: string; library: NativeLibraryRecord }) {
  const [part, setPart] = useState<Part>('jni');
  const lists = listsOf(library);
  const values = useMemo(() => listsOf(library)[part].map((value) => ({ value, where: [] })), [library, part]);
  return (
    <div className={styles.detail}>
      <div className={styles.nativeHead}>
        <b>
          <PlaceLink sha256={sha256} place={library.path} />
        </b>
        <Chip tone="info">
          <HostileText value={library.abi} max={40} isFixed />
        </Chip>
        {library.jni.on_load && <Chip tone="quiet">JNI_OnLoad</Chip>}
        <span className={styles.faint}>
          <HostileText value={library.machine} max={60} isFixed /> · {formatSize(library.size)}
          {library.soname !== null && (
            <>
              {' · '}
              <HostileText value={library.soname} max={80} isFixed />
            </>
          )}
        </span>
        <span className={styles.faint}>
          SHA-256 <code className={styles.wrap}>{library.sha256}</code>{' '}
          <CopyButton text={library.sha256} what="SHA-256" />
        </span>
      </div>
      <ValueList key={part} sha256={sha256} label={texts.native.parts[part]} values={values} none={texts.native.empty}>
        <Segments
          label={texts.native.partChoice}
          value={part}
          onChange={setPart}
          segments={parts.map((one) => ({
            value: one,
            label: texts.native.parts[one],
            count: formatCount(lists[one].length),
          }))}
        />
      </ValueList>
    </div>
  );
}

export function NativeTab({ apk, report }: { apk: ApkDetail; report: AndroguardReport }) {
  const libraries = report.native_libraries;
  const [chosen, setChosen] = useState(0);
  const library = libraries[chosen] ?? libraries[0];
  if (library === undefined) return <StatePanel icon="file" title={texts.native.none} />;
  return (
    <div className={styles.split}>
      <div className={styles.side}>
        <VirtualRows count={libraries.length} rowHeight={44} label={texts.apk.tabs.native}>
          {(index) => {
            const { path, abi, size } = libraries[index]!;
            return (
              <button
                type="button"
                aria-current={index === chosen ? 'true' : undefined}
                onClick={() => setChosen(index)}
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
