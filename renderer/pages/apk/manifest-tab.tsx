// The decoded manifest with colours, folds and a search. Knows it as text only.
import { lazy } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ApkDetail } from '../../../server/contract/apk.ts';
import { useXml } from '../../api/apk-queries.ts';
import { useManifest } from '../../api/queries.ts';
import { xmlReference, xmlReferenceAddress } from '../../components/code/xml-references.ts';
import { CopyAll } from '../../components/copy-all.tsx';
import { MissingReport } from '../../components/missing-report.tsx';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../components/state-panel.tsx';
import { texts } from '../../texts.ts';
import styles from './parts.module.css';

const CodeText = lazy(async () => ({ default: (await import('../../components/code/code-text.tsx')).CodeText }));
const path = 'AndroidManifest.xml';

export function ManifestTab({ apk: { sha256, package_name: packageName } }: { apk: ApkDetail }) {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const manifest = useManifest(sha256);
  const isMissing = manifest.data === null;
  // Before the first analysis ends the file itself is asked.
  const decoded = useXml(sha256, { path }, isMissing);
  if (manifest.isError) {
    return <ErrorPanel error={manifest.error} onRetry={() => void manifest.refetch()} />;
  }
  if (manifest.isPending || (isMissing && decoded.isPending)) return <LoadingPanel />;
  const text = manifest.data?.manifest ?? decoded.data?.text ?? null;
  if (text === null && isMissing) return <MissingReport sha256={sha256} kind="static" />;
  if (text === null) return <StatePanel icon="warning" title={texts.manifest.unreadable} />;
  return (
    <>
      <div className={styles.toolbar}>
        <span className={styles.note}>{texts.manifest.hint}</span>
        <CopyAll text={() => text} label={texts.manifest.copy} />
      </div>
      <CodeText
        text={text}
        language="xml"
        label={texts.apk.tabs.manifest}
        hasSearch
        references={xmlReference}
        onReference={(value) => {
          const address = xmlReferenceAddress(sha256, value, packageName);
          if (address !== null) void navigate(address);
        }}
        find={parameters.get('find') ?? undefined}
      />
    </>
  );
}
