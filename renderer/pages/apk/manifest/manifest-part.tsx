// The decoded manifest with colours, folds and a search. Knows it as text only.
import { useNavigate, useSearchParams } from 'react-router';
import { useXml } from '../../../api/apk-queries.ts';
import { useManifest } from '../../../api/queries.ts';
import { LazyCodeText } from '../../../components/code/lazy-code-text.tsx';
import { xmlReference, xmlReferenceAddress } from '../../../components/code/xml-references.ts';
import { ErrorPanel, LoadingPanel, StatePanel } from '../../../components/page/state-panel.tsx';
import { MissingReport } from '../../../components/status/missing-report.tsx';
import { CopyAll } from '../../../components/text/copy-all.tsx';
import styles from '../parts.module.css';
import type { ApkPartProps } from '../parts.tsx';
import { manifestTexts } from './texts.ts';

const path = 'AndroidManifest.xml';

export function Component({ apk: { sha256, package_name: packageName } }: ApkPartProps) {
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
  if (text === null) return <StatePanel icon="warning" title={manifestTexts.unreadable} />;
  return (
    <>
      <div className={styles.toolbar}>
        <span className={styles.note}>{manifestTexts.hint}</span>
        <CopyAll text={() => text} label={manifestTexts.copy} />
      </div>
      <LazyCodeText
        text={text}
        language="xml"
        label={manifestTexts.label}
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
